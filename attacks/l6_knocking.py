"""L6: going on knocking while blocked, so that the block never ends for the owner."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

WINDOW = 4.0
"""Seconds."""
KNOCK = 0.25
MARGIN = 0.5
"""Seconds before the end at which the knocking stops, and after it at which the owner comes."""


def run(target: Target) -> int:
    """Block an account, knock until just before the block's end, and count whether the owner still can't get in."""
    attacker = target.client(MALLORY.address)
    guess = 0
    while attacker.login(ALICE.contact, f"guess {guess}").reached:
        guess += 1
        if guess > 20:
            raise Broken("the account was never blocked")
    end = time.monotonic() + WINDOW
    while time.monotonic() < end - MARGIN:
        attacker.login(ALICE.contact, f"guess {guess}")
        guess += 1
        time.sleep(KNOCK)
    time.sleep(max(0.0, end + MARGIN - time.monotonic()))
    return int(not ALICE.gets_in(target))


KNOCKING = Attack(
    "L6",
    "knocking while blocked",
    "quiet-denial",
    Criterion("owners kept out after the block’s end", wins=1, loses=(0, 0)),
    run,
    Setup(proxied=True, config=f'[policies.login.layers.account]\nlimit = "5/{WINDOW:.0f}s"\n'),
)
