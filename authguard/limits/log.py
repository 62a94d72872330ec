"""Log: charges as entries of one size, oldest first, each of which begins with its time.

The time is the low 48 bits of the store's microseconds, big-endian. Ages are differences modulo 2^48 (8.9 years; no
period is longer than 400 days). A charge made at ``t`` stands while ``now < t + period``. Time never runs backwards
inside a log: a charge is stamped no earlier than the last.
"""

from __future__ import annotations

from authguard.limits.counting import NEVER, Count, refuse
from authguard.limits.limit import Limit

TIME = 6
"""Bytes in an entry's time."""
MASK = (1 << 48) - 1
HALF = 1 << 47
_number = int.from_bytes


def time_at(log: bytes, start: int) -> int:
    """Return the time of the entry that begins at byte ``start``, 48 bits of it."""
    return _number(log[start : start + TIME])


def effective(log: bytes, size: int, now: int) -> int:
    """Return ``now``, or the time of the last entry where that lies in the future."""
    if not log:
        return now
    ahead = (time_at(log, len(log) - size) - now) & MASK
    return now + ahead if ahead < HALF else now


def standing(log: bytes, size: int, period: int, at: int) -> bytes:
    """Return the log without the entries that stand no longer at ``at``, its effective time."""
    if not log or (at - time_at(log, 0)) & MASK < period:
        return log
    low, high = 1, len(log) // size
    while low < high:
        middle = (low + high) // 2
        if (at - time_at(log, middle * size)) & MASK >= period:
            low = middle + 1
        else:
            high = middle
    return log[low * size :]


def count(log: bytes, limit: Limit, cost: int, now: int, size: int = TIME, tail: bytes = b"") -> Count:
    """Count ``cost`` charges, entries of ``size`` bytes that end in ``tail``."""
    amount, period = limit.amount, limit.period
    at, alive = now, log
    if log:
        # As `effective` and `standing` do; spelt out, because this is where a decision spends its time.
        newest = len(log) - size
        ahead = (_number(log[newest : newest + TIME]) - now) & MASK
        if ahead < HALF:
            at = now + ahead
        if (at - _number(log[:TIME])) & MASK >= period:
            alive = standing(log, size, period, at)
    entries = len(alive) // size
    left = amount - entries if entries < amount else 0
    if cost <= left:
        entry = (at & MASK).to_bytes(TIME) + tail
        return 0, left, alive + (entry if cost == 1 else entry * cost), at, period + at - now, left - cost
    if cost > amount:
        return refuse(NEVER, left)
    must_go = time_at(alive, (entries + cost - amount - 1) * size)
    return refuse(period - ((at - must_go) & MASK) + at - now, left)


def merge(one: bytes, other: bytes, size: int, now: int) -> bytes:
    """Return the log in which the entries of both stand."""
    entries = [log[i : i + size] for log in (one, other) for i in range(0, len(log), size)]
    entries.sort(key=lambda entry: -((now + HALF - time_at(entry, 0)) & MASK))
    return b"".join(entries)


def lifetime(log: bytes, size: int, limit: Limit, now: int) -> int:
    """Return for how many microseconds, at least 1, a log that isn't empty still says something."""
    at = effective(log, size, now)
    return max(1, limit.period - ((at - time_at(log, len(log) - size)) & MASK) + at - now)
