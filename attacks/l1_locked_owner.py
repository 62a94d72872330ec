"""L1: a hundred bad logins on somebody's account, so that its owner can't get in."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import from_everywhere, in_turn, passwords
from attacks.people import ALICE
from attacks.target import Setup, Target

GUESSES = 100


def run(target: Target) -> int:
    """Guess from a hundred addresses, and count whether the owner's own browser is kept out."""
    browser = ALICE.browser(target)
    in_turn(from_everywhere(target, ALICE.name, passwords(GUESSES, "a last guess")))
    return int(not ALICE.log_in(target, browser).right)


LOCKED_OWNER = Attack(
    "L1",
    "a hundred bad logins on one account",
    "known-devices",
    Criterion("owners kept out", wins=1, loses=(0, 0)),
    run,
    Setup(proxied=True),
)
