"""I1: another made-up address at the left end of X-Forwarded-For for every guess."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.crowd import address, count_reached, in_turn
from attacks.people import MALLORY
from attacks.target import Setup, Target

TRIES = 250
"""A multiple of the limit. Without the defense each is hashed: a thousand would take minutes and show nothing else."""


def run(target: Target) -> int:
    """Try one password on many accounts from one place, as if from many."""
    calls = [
        partial(target.client(MALLORY.address, forged=address(number)).login, f"user{number}", "password1")
        for number in range(TRIES)
    ]
    return count_reached(in_turn(calls))


ROTATED_HEADER = Attack(
    "I1",
    "X-Forwarded-For rotated",
    "proxy-chain",
    Criterion("accounts tried from one address", wins=200, loses=(1, 20)),
    run,
    Setup(proxied=True, dropped=("alarm", "same-secret")),
)
