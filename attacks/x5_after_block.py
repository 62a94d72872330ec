"""X5: waiting a block out, after which some counters never block again."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

LIMIT = 5
WINDOW = 4.0
"""Seconds."""
GUESSES = 20


def run(target: Target) -> int:
    """Guess until the account is blocked, wait the block out, and count the guesses that follow within a window."""
    attacker = target.client(MALLORY.address)
    answers = [attacker.login(ALICE.contact, f"guess {number}") for number in range(LIMIT + 1)]
    if [answer.reached for answer in answers] != [True] * LIMIT + [False]:
        raise Broken("the account was never blocked")
    time.sleep(WINDOW + 0.2)
    started = time.monotonic()
    reached = 0
    for number in range(GUESSES):
        answer = attacker.login(ALICE.contact, f"later guess {number}")
        if time.monotonic() - started >= WINDOW:  # it may belong to the next one
            break
        reached += answer.reached
    return reached


AFTER_BLOCK = Attack(
    "X5",
    "guesses after a block’s end",
    "rearming",
    Criterion("guesses within one window", wins=2 * LIMIT, loses=(1, LIMIT)),
    run,
    Setup(proxied=True, config=f'[policies.login.layers.account]\nlimit = "{LIMIT}/{WINDOW:.0f}s"\n'),
)
