"""F6: a Redis that drops counters when its memory is short, and an attacker who makes it short."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.browser import LOGIN
from attacks.client import Broken
from attacks.crowd import address, count_reached, in_turn
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

LIMIT = 5
ROOM = 128 * 1024
"""Bytes that are left for other counters."""
FLOODS, REQUESTS = 6, 60
"""Floods at most; the codes asked for in each, for nobody, which cost next to nothing."""


def run(target: Target) -> int:
    """Block an account, fill the store with other counters, and see whether the right password then opens it."""
    attacker = target.client(MALLORY.address)
    reached = count_reached(attacker.login(ALICE.contact, f"guess {number}") for number in range(LIMIT))
    if reached < LIMIT or attacker.login(ALICE.contact, ALICE.password).reached:
        raise Broken("the account was never blocked")
    # A server of the size it was started with takes a longer flood, and that is all.
    target.server.ask("CONFIG", "SET", "maxmemory", str(_used(target) + ROOM))
    for flood in range(FLOODS):
        in_turn([partial(_flood, target, flood * REQUESTS + number) for number in range(REQUESTS)])
        if attacker.login(ALICE.contact, ALICE.password).right:
            return 1
    return 0


def _used(target: Target) -> int:
    return int(target.server.ask("INFO", "memory")["used_memory"])


def _flood(target: Target, number: int) -> None:
    target.client(address(number)).send("POST", LOGIN, {"identifier": f"nobody{number}@example.com"})


EVICTION = Attack(
    "F6",
    "counters dropped for want of memory",
    "store-check",
    Criterion("blocked accounts opened", wins=1, loses=(0, 0)),
    run,
    Setup(
        proxied=True,
        redis=("--maxmemory", "64mb", "--maxmemory-policy", "allkeys-lru", "--maxmemory-samples", "10"),
        refusal="AG404",
    ),
)
