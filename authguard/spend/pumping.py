"""Pumping: whether messages to strangers in a country are wanted by anybody, read off a reservation's decision."""

from __future__ import annotations

from authguard.limits import Decision
from authguard.limits.limit import LARGEST_BUDGET
from authguard.spend.channel import Breaker
from authguard.spend.plans import UNVERIFIED, USUAL, WEEK, YOUNG


def count_unwanted(decision: Decision) -> int:
    """Return how many of the window's messages are older than a code lives, and were never used."""
    return decision.remaining[YOUNG] - decision.remaining[UNVERIFIED]


def most_unwanted(breaker: Breaker, decision: Decision) -> int:
    """Return how many there may be.

    What is usual is what was used in the last seven days, not what was sent: messages that nobody uses can't make
    more of them usual.
    """
    used = LARGEST_BUDGET - decision.remaining[USUAL]
    return max(breaker.floor, breaker.percent * used * breaker.window // (100 * WEEK))
