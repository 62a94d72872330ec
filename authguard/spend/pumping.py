"""Pumping: whether messages to strangers in a country are wanted by anybody, read off a reservation's decision."""

from __future__ import annotations

from authguard.limits import Decision
from authguard.limits.limit import LARGEST_BUDGET
from authguard.spend.channel import Breaker
from authguard.spend.plans import MEANWHILE, UNVERIFIED, USUAL, WEEK, YOUNG


def count_unwanted(decision: Decision) -> int:
    """Return how many of the window's messages are older than a code lives, and were never used."""
    return decision.remaining[YOUNG] - decision.remaining[UNVERIFIED]


def most_unwanted(breaker: Breaker, decision: Decision) -> int:
    """Return how many there may be.

    What is usual is what was used in the last seven days, not what was sent: messages that nobody uses can't make
    more of them usual. It is too little in a busy hour, in the first days, and while the gate was shut for much of the
    week, so that it would shut again and again when the attack is long over. Hence what was used meanwhile counts too.
    """
    usual = breaker.percent * _used(decision, USUAL) * breaker.window // (100 * WEEK)
    return max(breaker.floor, usual, breaker.meanwhile * _used(decision, MEANWHILE) // 100)


def _used(decision: Decision, name: str) -> int:
    return LARGEST_BUDGET - decision.remaining[name]
