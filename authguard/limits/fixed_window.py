"""Fixed window: at most ``amount`` charges in each window; windows are aligned to the epoch.

Across a boundary twice the amount gets through; where that matters, use the sliding log.

The state is two unsigned 64-bit integers, big-endian: the time of the last charge and the count of its window. The
count belongs to the window, of whatever period the limit has now, in which the last charge fell; so a changed period
takes effect at once. Time never runs backwards: a charge is stamped no earlier than the last. A state of any other
length counts as a window that has just been filled.
"""

from __future__ import annotations

from struct import Struct

from authguard.limits.decision import NEVER
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


def probe(state: bytes, limit: Limit, cost: int, now: int) -> tuple[int, int]:
    """Return ``(wait, remaining)``: microseconds until ``cost`` would be admitted, and what is left now."""
    at, count = _read(state, limit, now)
    left = max(0, limit.amount - count)
    if cost <= left:
        return 0, left
    if cost > limit.amount:
        return NEVER, left
    return at - at % limit.period + limit.period - now, left


def charge(state: bytes, limit: Limit, cost: int, now: int) -> tuple[bytes, int, int]:
    """Return ``(state, stamp, remaining)`` after charging ``cost``."""
    at, count = _read(state, limit, now)
    count += cost
    return _STATE.pack(at, count), at, max(0, limit.amount - count)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the state in which the charges of both count."""
    at = max(_read(one, limit, 0)[0], _read(other, limit, 0)[0])
    return _STATE.pack(at, _read(one, limit, at)[1] + _read(other, limit, at)[1])


def lifetime(state: bytes, limit: Limit, now: int) -> int:
    """Return for how many microseconds the state still says something: until its window ends."""
    last: int = _STATE.unpack(state)[0]
    return max(1, last - last % limit.period + limit.period - now)
