"""X8: guessing in step with the owner, whose logins make the account look harmless again."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.crowd import address, count_reached
from attacks.people import ALICE
from attacks.target import Setup, Target

ROUNDS = 10
GUESSES = 4


def run(target: Target) -> int:
    """Guess four times from a new address, let the owner log in, in a fresh browser while that works, and again."""
    browser = ALICE.browser(target)
    reached = 0
    for turn in range(ROUNDS):
        stranger = target.client(address(turn))
        reached += count_reached(stranger.login(ALICE.name, f"guess {turn} {number}") for number in range(GUESSES))
        if ALICE.gets_in(target):
            continue
        owner = ALICE.log_in(target, browser)
        if not owner.right:
            raise Broken("the owner can’t log in")
        browser = owner.cookies
    return reached


OWNER_BETWEEN = Attack(
    "X8",
    "guesses between the owner’s logins",
    "own-failures",
    Criterion("guesses at one account", wins=ROUNDS * GUESSES, loses=(1, 5)),
    run,
    Setup(proxied=True),
)
