"""Naive models of every plain algorithm: lists and fractions, the textbook's formula and nothing clever.

Each keeps all it was ever told and answers one question: how much is left at an instant. They know neither states nor
waits, and share no code with the library.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from authguard.limits import Algorithm, Limit

History = list[tuple[int, int]]
"""``(time, cost)`` of every charge, oldest first; times never decrease."""


def sliding_log(limit: Limit, history: History, now: int) -> int:
    """What was charged less than a period ago counts."""
    return limit.amount - sum(cost for time, cost in history if now < time + limit.period)


def fixed_window(limit: Limit, history: History, now: int) -> int:
    """What was charged since the window began counts."""
    return limit.amount - _between(history, now - now % limit.period, now)


def sliding_counter(limit: Limit, history: History, now: int) -> int:
    """The window counts, and of the one before as much as overlaps the last period."""
    began = now - now % limit.period
    overlap = Fraction(limit.period - now % limit.period, limit.period)
    weighed = _between(history, began - limit.period, began - 1) * overlap + _between(history, began, now)
    return floor(limit.amount - weighed)


def token_bucket(limit: Limit, history: History, now: int) -> int:
    """Tokens come in at a steady rate, up to the burst, and go with each charge."""
    tokens, since = Fraction(limit.burst), 0
    for time, cost in [*history, (now, 0)]:
        tokens = min(Fraction(limit.burst), tokens + Fraction((time - since) * limit.amount, limit.period)) - cost
        since = time
    return floor(tokens)


def leaky_bucket(limit: Limit, history: History, now: int) -> int:
    """Each charge is poured in; what is in leaks at a steady rate."""
    level, since = Fraction(0), 0
    for time, cost in [*history, (now, 0)]:
        level = max(Fraction(0), level - Fraction((time - since) * limit.amount, limit.period)) + cost
        since = time
    return limit.burst - ceil(level)


def gcra(limit: Limit, history: History, now: int) -> int:
    """``now ≥ TAT + (c−1)·T − τ`` with ``τ = (burst−1)·T``, solved for ``c``."""
    interval = ceil(Fraction(limit.period, limit.amount))
    arrival = 0
    for time, cost in history:
        arrival = max(time, arrival) + cost * interval
    tolerance = (limit.burst - 1) * interval
    return floor(Fraction(now - max(now, arrival) + tolerance, interval)) + 1


def backoff(limit: Limit, history: History, now: int) -> int:
    """Each charge waits for its gap; a ladder left alone for two of the longest gaps begins anew."""
    climbed: list[int] = []
    for time, _ in history:
        if climbed and time >= climbed[-1] + 2 * max(1, *limit.gaps):
            climbed = []
        climbed.append(time)
    if not climbed or now >= climbed[-1] + 2 * max(1, *limit.gaps):
        return 1
    return int(now >= climbed[-1] + limit.gaps[min(len(climbed), len(limit.gaps) - 1)])


def _between(history: History, first: int, last: int) -> int:
    return sum(cost for time, cost in history if first <= time <= last)


LEFT: dict[Algorithm, Callable[[Limit, History, int], int]] = {
    Algorithm.SLIDING_LOG: sliding_log,
    Algorithm.FIXED_WINDOW: fixed_window,
    Algorithm.SLIDING_COUNTER: sliding_counter,
    Algorithm.TOKEN_BUCKET: token_bucket,
    Algorithm.LEAKY_BUCKET: leaky_bucket,
    Algorithm.GCRA: gcra,
    Algorithm.BACKOFF: backoff,
}


class Naive:
    """One counter by its naive model."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.history: History = []

    def left(self, now: int) -> int:
        """Return what is left; a clock that has stepped back stands still until it has caught up."""
        at = max([now, *(time for time, _ in self.history)])
        return max(0, LEFT[self.limit.algorithm](self.limit, self.history, at))

    def take(self, now: int, cost: int) -> bool:
        """Charge ``cost`` if it is admitted."""
        if cost > self.left(now):
            return False
        self.history.append((max([now, *(time for time, _ in self.history)]), cost))
        return True
