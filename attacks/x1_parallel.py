"""X1: two hundred guesses at once, all checked before the first is counted."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import address, at_once, count_reached
from attacks.people import ALICE
from attacks.target import Setup, Target

GUESSES = 200


def run(target: Target) -> int:
    """Send all guesses at the same moment."""
    calls = [
        lambda number=number: target.client(address(number)).login(ALICE.contact, f"guess {number}")
        for number in range(GUESSES)
    ]
    return count_reached(at_once(calls))


PARALLEL = Attack(
    "X1",
    "two hundred guesses at once",
    "charge-first",
    Criterion("guesses at one account", wins=15, loses=(1, 5)),
    run,
    Setup(workers=4, threads=8, proxied=True),
)
