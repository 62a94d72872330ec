"""GCRA, the generic cell rate algorithm (ITU-T I.371): charges ``T = period/amount`` apart, ``burst`` of them at once.

With the tolerance ``τ = (burst−1)·T`` and the theoretical arrival time ``TAT``, a cost ``c`` is admitted when
``now ≥ TAT + (c−1)·T − τ`` and moves ``TAT`` to ``max(now, TAT) + c·T``. ``T`` is in whole microseconds, rounded up.

What ``TAT`` is ahead of the clock drains by one microsecond a microsecond, as a leaky bucket does into which each unit
of cost pours ``T``; so the state is a leaky bucket's: ``TAT`` less the time of the last charge, that time, and ``T``.
"""

from __future__ import annotations

from authguard.limits.leaky_bucket import drained, merge_levels, pour, probe_level
from authguard.limits.limit import Limit

RATE = 1
"""What drains in a microsecond."""


def interval(limit: Limit) -> int:
    """Return ``T``, in microseconds."""
    return -(-limit.period // limit.amount)


def probe(state: bytes, limit: Limit, cost: int, now: int) -> tuple[int, int]:
    """Return ``(wait, remaining)``: microseconds until ``cost`` would be admitted, and what is left now."""
    return probe_level(state, interval(limit), RATE, limit.burst, cost, now)


def charge(state: bytes, limit: Limit, cost: int, now: int) -> tuple[bytes, int, int]:
    """Return ``(state, stamp, remaining)`` after charging ``cost``."""
    return pour(state, interval(limit), RATE, limit.burst, cost, now)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the state in which the charges of both count; see :func:`~authguard.limits.leaky_bucket.merge_levels`."""
    return merge_levels(one, other, interval(limit), RATE, limit.burst)


def lifetime(state: bytes, limit: Limit, now: int) -> int:
    """Return for how many microseconds the state still says something: until ``TAT``."""
    return drained(state, RATE, now)
