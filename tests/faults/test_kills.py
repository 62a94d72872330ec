"""Workers are killed between charge and settle: charges survive as failures, none is lost, none doubles."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from random import Random

import pytest

from authguard.testing.plans import left
from tests.faults.storm import Storm
from tests.faults.worker import ACCOUNTS, LIMIT, counters_of
from tests.servers.redis import RedisServer

SECONDS = float(os.environ.get("AUTHGUARD_KILL_SECONDS", "60"))


@contextmanager
def raging() -> Iterator[list[Storm]]:
    """Let both storms rage at once, and give them with their stores still open."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(RedisServer())
        storms = []
        for name, url in (("sqlite", f"sqlite:///{folder / 'store.db'}"), ("redis", server.url)):
            (folder / name).mkdir()
            storms.append(Storm(url, folder / name, Random(name)))
            stack.enter_context(closing(storms[-1].store))
        with ThreadPoolExecutor(len(storms)) as pool:
            list(pool.map(lambda storm: storm.rage(SECONDS), storms))
        yield storms


# One test, so that the storms rage once however many processes share the tests.
@pytest.mark.timeout(SECONDS + 120)
def test_what_stands_is_what_was_charged_and_not_given_back() -> None:
    with raging() as storms:
        for storm in storms:
            assert_hit(storm)
            assert_standing(storm)


def assert_standing(storm: Storm) -> None:
    failed, tried, _ = storm.expected()
    for account in range(ACCOUNTS):
        failures, attempts = counters_of(account)
        assert LIMIT - left(storm.store, failures) == failed[account]
        assert LIMIT - left(storm.store, attempts) == tried[account]


def assert_hit(storm: Storm) -> None:
    """Make sure that the storm hit what it was to hit."""
    _, tried, orphans = storm.expected()
    assert storm.kills > 2 * SECONDS
    assert orphans > SECONDS
    assert tried.total() > 20 * SECONDS
    # Cut off in the middle of a call, of which some had landed and some had not.
    assert storm.repeated.total() >= SECONDS // 30
