"""Nonces: never the same twice, in threads and in forked processes alike."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from authguard.limits.nonce import SIZE, draw_nonce

MANY = 500


def test_no_two_are_alike() -> None:
    with ThreadPoolExecutor(8) as pool:
        nonces = list(pool.map(lambda _: draw_nonce(), range(MANY)))
    assert len(set(nonces)) == MANY
    assert {len(nonce) for nonce in nonces} == {SIZE}


def test_a_forked_child_draws_its_own() -> None:
    draw_nonce()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, b"".join(draw_nonce() for _ in range(MANY)))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        drawn = pipe.read()
    os.waitpid(child, 0)
    theirs = {drawn[start : start + SIZE] for start in range(0, len(drawn), SIZE)}
    assert len(theirs) == MANY
    assert theirs.isdisjoint(draw_nonce() for _ in range(MANY))
