"""Fixed window: at most ``amount`` charges in each window; windows are aligned to the epoch.

Across a boundary twice the amount gets through; where that matters, use the sliding log.

The state is two unsigned 64-bit integers, big-endian: the time of the last charge and the count of its window. The
count belongs to the window, of whatever period the limit has now, in which the last charge fell; so a changed period
takes effect at once. Time never runs backwards: a charge is stamped no earlier than the last. A state of any other
length counts as a window that has just been filled.
"""

from __future__ import annotations

from struct import Struct

from authguard.limits.counting import NEVER, Count, refuse
from authguard.limits.limit import Limit

_STATE = Struct(">QQ")


def _read(state: bytes, limit: Limit, now: int) -> tuple[int, int]:
    """Return ``(at, count)``: the effective time, and how much its window holds."""
    if len(state) != _STATE.size:
        return now, limit.amount if state else 0
    last, count = _STATE.unpack(state)
    if now <= last:
        return last, count
    return now, count if now // limit.period == last // limit.period else 0


def count(state: bytes, limit: Limit, cost: int, now: int) -> Count:
    """Count ``cost``. The state says something until its window ends."""
    at, used = _read(state, limit, now)
    left = max(0, limit.amount - used)
    ends = at - at % limit.period + limit.period - now
    if cost <= left:
        return 0, left, _STATE.pack(at, used + cost), at, ends, left - cost
    return refuse(NEVER if cost > limit.amount else ends, left)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the state in which the charges of both count."""
    at = max(_read(one, limit, 0)[0], _read(other, limit, 0)[0])
    return _STATE.pack(at, _read(one, limit, at)[1] + _read(other, limit, at)[1])
