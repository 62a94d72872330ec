"""GCRA, the generic cell rate algorithm (ITU-T I.371): charges ``T = period/amount`` apart, ``burst`` of them at once.

With the tolerance ``τ = (burst−1)·T`` and the theoretical arrival time ``TAT``, a cost ``c`` is admitted when
``now ≥ TAT + (c−1)·T − τ`` and moves ``TAT`` to ``max(now, TAT) + c·T``. ``T`` is in whole microseconds, rounded up.

What ``TAT`` is ahead of the clock drains by one microsecond a microsecond, as a leaky bucket does into which each unit
of cost pours ``T``; so the state is a leaky bucket's: ``TAT`` less the time of the last charge, that time, and ``T``.
"""

from __future__ import annotations

from authguard.limits.counting import Count
from authguard.limits.leaky_bucket import count_level, merge_levels
from authguard.limits.limit import Limit

RATE = 1
"""What drains in a microsecond."""


def interval(limit: Limit) -> int:
    """Return ``T``, in microseconds."""
    return -(-limit.period // limit.amount)


def count(state: bytes, limit: Limit, cost: int, now: int) -> Count:
    """Count ``cost``. The state says something until ``TAT``."""
    return count_level(state, interval(limit), RATE, limit.burst, cost, now)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the state in which the charges of both count; see :func:`~authguard.limits.leaky_bucket.merge_levels`."""
    return merge_levels(one, other, interval(limit), RATE, limit.burst)
