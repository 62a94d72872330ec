"""X4: a burst just before a window ends and another just after, two budgets within a second."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.crowd import count_reached
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

WINDOW = 5.0
"""Seconds."""
BURST = 5
LEAD = 1.5
"""Seconds before the edge at which the first burst leaves: enough for its answers to be there in time."""


def run(target: Target) -> int:
    """Send both bursts and count what got through within less than a window."""
    edge = (time.time() + LEAD) // WINDOW * WINDOW + WINDOW
    time.sleep(edge - LEAD - time.time())
    started = time.time()
    reached = _burst(target, 0)
    if time.time() >= edge:
        raise Broken("the first burst was not answered before the window ended")
    time.sleep(edge + 0.05 - time.time())
    reached += _burst(target, BURST)
    if time.time() - started >= WINDOW:
        raise Broken("both bursts took longer than a window")
    return reached


def _burst(target: Target, first: int) -> int:
    attacker = target.client(MALLORY.address)
    # One by one: of several at once some find no room, and are counted without having been looked at.
    return count_reached(attacker.login(ALICE.contact, f"guess {number}") for number in range(first, first + BURST))


WINDOW_EDGE = Attack(
    "X4",
    "a burst across the window’s edge",
    "sliding-log",
    Criterion("guesses within one window", wins=2 * BURST, loses=(1, BURST)),
    run,
    Setup(proxied=True, config=f'[policies.login.layers.account]\nlimit = "5/{WINDOW:.0f}s"\n', timed=True),
)
