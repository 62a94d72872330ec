"""X1: two hundred guesses at once, all checked before the first is counted."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import at_once, count_reached, from_everywhere, passwords
from attacks.people import ALICE
from attacks.target import Setup, Target

GUESSES = 200


def run(target: Target) -> int:
    """Send all guesses at the same moment; all of them are wrong, for a right one is forgiven."""
    guesses = passwords(GUESSES, "guess again")
    return count_reached(at_once(from_everywhere(target, ALICE.contact, guesses)))


PARALLEL = Attack(
    "X1",
    "two hundred guesses at once",
    "charge-first",
    Criterion("guesses at one account", wins=10, loses=(1, 5)),
    run,
    # Many threads, because one worker may accept most of the connections: a dozen of its threads get to hash.
    Setup(workers=2, threads=48, proxied=True, dropped=("alarm",)),
)
