"""L6: going on knocking while blocked, so that the block never ends for the owner."""

from __future__ import annotations

import time
from functools import partial

from attacks.attack import Attack, Criterion
from attacks.client import Broken, Client
from attacks.crowd import at_once
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

LIMIT = 5
WINDOW = 6.0
"""Seconds."""
KNOCKERS = 3
KNOCK = 0.25
"""Seconds between two knocks."""
MARGIN = 0.5
"""Seconds: the knocking stops so long before the first failure ends, the owner comes so long after the last one has."""


def run(target: Target) -> int:
    """Block an account, knock until just before the block's end, and count whether the owner still can't get in."""
    attacker = target.client(MALLORY.address)
    first = time.monotonic()
    guesses = [attacker.login(ALICE.name, f"guess {number}") for number in range(LIMIT + 1)]
    last = time.monotonic()
    if sum(answer.reached for answer in guesses) < LIMIT:
        raise Broken("the account was never blocked")
    if last - first > WINDOW / 3:
        raise Broken("the block took too long to set up")
    at_once([partial(_knock, attacker, knocker, first + WINDOW - MARGIN) for knocker in range(KNOCKERS)])
    time.sleep(max(0.0, last + WINDOW + MARGIN - time.monotonic()))
    return int(not ALICE.gets_in(target))


def _knock(attacker: Client, knocker: int, until: float) -> None:
    number = 0
    while time.monotonic() < until:
        attacker.login(ALICE.name, f"knock {knocker} {number}")
        number += 1
        time.sleep(KNOCK)


KNOCKING = Attack(
    "L6",
    "knocking while blocked",
    "quiet-denial",
    Criterion("owners kept out after the block’s end", wins=1, loses=(0, 0)),
    run,
    Setup(proxied=True, config=f'[policies.login.layers.account]\nlimit = "{LIMIT}/{WINDOW:.0f}s"\n', timed=True),
)
