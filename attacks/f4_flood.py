"""F4: a flood of fresh keys, to push the counter of a blocked account out of the store."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.crowd import address, count_reached, in_turn
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

LIMIT = 5
FRESH = 80
"""Failed logins, each of which counts an account and an address that were never seen before."""


def run(target: Target) -> int:
    """Guess until the account is blocked, flood, and guess again."""
    attacker = target.client(MALLORY.address)
    reached = count_reached(attacker.login(ALICE.contact, f"guess {number}") for number in range(LIMIT))
    calls = [
        partial(target.client(address(number)).login, f"user{number}", f"flood {number}") for number in range(FRESH)
    ]
    if count_reached(in_turn(calls)) < FRESH:
        raise Broken("not all of the flood got through")
    return reached + count_reached(attacker.login(ALICE.contact, f"later guess {number}") for number in range(LIMIT))


FLOOD = Attack(
    "F4",
    "a flood of fresh keys",
    "kept-counters",
    Criterion("guesses at one account", wins=2 * LIMIT, loses=(1, LIMIT)),
    run,
    Setup(workers=1, proxied=True, dropped=("alarm",)),
)
