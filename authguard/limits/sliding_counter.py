"""Sliding counter: an estimate of the sliding log from two counts, in windows aligned to the epoch.

The previous window counts in proportion to how much of it still overlaps the period that ends now. With ``W`` the
period, ``e`` the time since this window began, ``prev`` and ``curr`` the two counts, a charge is admitted when
``prev·(W−e) + (curr+cost)·W ≤ amount·W``, in integers.

The state is four unsigned 64-bit integers, big-endian: the period, the time of the last charge, the count of the
window of that charge, and the count of the window before. When the period has changed, both counts, together at most
``amount``, count as made at the last charge. Time never runs backwards: a charge is stamped no earlier than the last.
A state of any other length counts as a window that has just been filled.
"""

from __future__ import annotations

from struct import Struct

from authguard.limits.counting import NEVER, Count, refuse
from authguard.limits.limit import Limit

_STATE = Struct(">QQQQ")


def _read(state: bytes, limit: Limit, now: int) -> tuple[int, int, int]:
    """Return ``(at, curr, prev)``: the effective time, and the counts of its window and of the one before."""
    if len(state) != _STATE.size:
        return now, limit.amount if state else 0, 0
    period, last, curr, prev = _STATE.unpack(state)
    if period != limit.period:
        curr, prev = min(curr + prev, limit.amount), 0
    if now <= last:
        return last, curr, prev
    passed = now // limit.period - last // limit.period
    if not passed:
        return now, curr, prev
    return now, 0, curr if passed == 1 else 0


def _left(limit: Limit, at: int, curr: int, prev: int) -> int:
    """Return how many charges are admissible at ``at``; what the previous window still weighs rounds up."""
    weight = -(-prev * (limit.period - at % limit.period) // limit.period)
    return max(0, limit.amount - curr - weight)


def _opens(limit: Limit, cost: int, at: int, curr: int, prev: int) -> int:
    """Return when ``cost`` will be admitted: later in this window, or in the next, where ``curr`` fades."""
    ends = at - at % limit.period + limit.period
    room = limit.amount - curr - cost
    if room >= 0:
        return ends - room * limit.period // prev
    return ends + limit.period - (limit.amount - cost) * limit.period // curr


def count(state: bytes, limit: Limit, cost: int, now: int) -> Count:
    """Count ``cost``. The state says something until the end of the next window."""
    at, curr, prev = _read(state, limit, now)
    left = _left(limit, at, curr, prev)
    if cost <= left:
        charged = _STATE.pack(limit.period, at, curr + cost, prev)
        return 0, left, charged, at, at - at % limit.period + 2 * limit.period - now, left - cost
    if cost > limit.amount:
        return refuse(NEVER, left)
    return refuse(_opens(limit, cost, at, curr, prev) - now, left)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the state in which the charges of both count, at most ``amount`` a window."""
    at = max(_read(one, limit, 0)[0], _read(other, limit, 0)[0])
    _, curr, prev = _read(one, limit, at)
    _, more, before = _read(other, limit, at)
    return _STATE.pack(limit.period, at, min(curr + more, limit.amount), min(prev + before, limit.amount))
