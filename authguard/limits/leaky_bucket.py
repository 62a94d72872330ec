"""Leaky bucket, as a meter: each charge pours its cost in, ``amount`` leak out every ``period``, ``burst`` fit.

Exact in integers: one unit of cost is ``period`` units of level, and ``amount`` units leak every microsecond.

The state is three unsigned 64-bit integers, big-endian: the level after the last charge, the time of that charge, and
how many units of level one unit of cost then was. When that has changed, the level is rounded up to whole units of
cost; what no longer fits a bucket made smaller runs over. Time never runs backwards: a charge is stamped no earlier
than the last. A state of any other length counts as a bucket that has just been filled.

The token bucket is this bucket seen from the other side, and GCRA this bucket with another unit.
"""

from __future__ import annotations

from struct import Struct

from authguard.limits.counting import NEVER, Count, refuse
from authguard.limits.limit import Limit

_STATE = Struct(">QQQ")


def level_at(state: bytes, unit: int, rate: int, burst: int, now: int) -> tuple[int, int]:
    """Return ``(at, level)``: the effective time, and how full the bucket is then.

    ``unit`` is the level that one unit of cost makes, ``rate`` what leaks in a microsecond.
    """
    if len(state) != _STATE.size:
        return now, burst * unit if state else 0
    level, last, was = _STATE.unpack(state)
    if was != unit:
        level = min(-(-level // was), burst) * unit if was else burst * unit
    level = min(level, burst * unit)
    if now <= last:
        return last, level
    return now, max(0, level - (now - last) * rate)


def count_level(state: bytes, unit: int, rate: int, burst: int, cost: int, now: int) -> Count:
    """Count ``cost`` in a bucket of which ``unit`` and ``rate`` are as in :func:`level_at`.

    The state says something until the bucket is empty.
    """
    at, level = level_at(state, unit, rate, burst, now)
    room = burst * unit - level
    left = room // unit
    if cost <= left:
        level += cost * unit
        return 0, left, _STATE.pack(level, at, unit), at, at - now - -level // rate, left - cost
    return refuse(NEVER if cost > burst else at - now - (room - cost * unit) // rate, left)


def merge_levels(one: bytes, other: bytes, unit: int, rate: int, burst: int) -> bytes:
    """Return one bucket that holds what both held when the later of them was charged.

    Apart, both had leaked until then; from then on one bucket leaks.
    """
    at = max(level_at(one, unit, rate, burst, 0)[0], level_at(other, unit, rate, burst, 0)[0])
    both = level_at(one, unit, rate, burst, at)[1] + level_at(other, unit, rate, burst, at)[1]
    return _STATE.pack(min(both, burst * unit), at, unit)


def count(state: bytes, limit: Limit, cost: int, now: int) -> Count:
    """Count ``cost``."""
    return count_level(state, limit.period, limit.amount, limit.burst, cost, now)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the state in which the charges of both count; see :func:`merge_levels`."""
    return merge_levels(one, other, limit.period, limit.amount, limit.burst)
