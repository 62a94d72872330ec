"""B2: an attacker's own logins between the guesses, so that the share of failures stays small."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import address
from attacks.people import MALLORY
from attacks.target import Setup, Target

ACCOUNTS = 35
OWN = 3
"""Own logins for each guess."""


def run(target: Target) -> int:
    """Log in three times, guess once, from ever new addresses; count the accounts tried before a challenge."""
    for number in range(ACCOUNTS):
        place = target.client(address(number))
        for _ in range(OWN):
            place.login(MALLORY.name, MALLORY.password)
        if not place.login(f"user{number}", f"guess {number}").reached:
            return number
    return ACCOUNTS


DILUTED = Attack(
    "B2",
    "failures diluted by own logins",
    "counted-accounts",
    Criterion("accounts tried without a challenge", wins=ACCOUNTS, loses=(1, 12)),
    run,
    # Four workers: each for itself would see a part of it, and later.
    Setup(workers=4, proxied=True),
)
