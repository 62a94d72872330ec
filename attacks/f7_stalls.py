"""F7: a store made to stall again and again, for a local budget each time."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.crowd import count_reached
from attacks.people import ALICE, BOB, MALLORY
from attacks.target import Setup, Target

STALLS = 10
GUESSES = 2
"""Guesses in each stall: fewer faults than make the store be left alone."""


def run(target: Target) -> int:
    """Guess during each stall, and let the store answer somebody in between."""
    attacker = target.client(MALLORY.address)
    reached = 0
    for stall in range(STALLS):
        target.server.freeze()
        reached += count_reached(attacker.login(ALICE.contact, f"guess {stall} {number}") for number in range(GUESSES))
        target.server.thaw()
        if not BOB.gets_in(target):
            raise Broken("the store did not come back")
    return reached


STALLED = Attack(
    "F7",
    "ten stalls of the store",
    "kept-fallback",
    Criterion("guesses at one account", wins=15, loses=(1, 5)),
    run,
    Setup(workers=1, proxied=True, fail_mode="local", redis=(), timed=True),
)
