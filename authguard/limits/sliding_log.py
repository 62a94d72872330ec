"""Sliding log, exact: in every window at most ``amount`` charges stand.

The state is the charges' times, oldest first, each the low 48 bits of the store's microseconds, big-endian.
Ages are differences modulo 2^48 (8.9 years; no window is longer than 400 days). A charge made at ``t`` stands
while ``now < t + period``. Time never runs backwards inside a log: a charge is stamped no earlier than the last.
"""

from __future__ import annotations

from authguard.limits.decision import NEVER
from authguard.limits.limit import Limit

ENTRY = 6
MASK = (1 << 48) - 1
HALF = 1 << 47


def clamp(last: int, now: int) -> int:
    """Return ``now``, or the time of the entry ``last`` (48 bits) where that lies in the future."""
    ahead = (last - now) & MASK
    return now + ahead if ahead < HALF else now


def _entry(state: bytes, index: int) -> int:
    return int.from_bytes(state[index * ENTRY : index * ENTRY + ENTRY], "big")


def _expired(state: bytes, period: int, now: int) -> int:
    """Return how many entries, counted from the oldest, stand no longer at ``now``."""
    low, high = 0, len(state) // ENTRY
    while low < high:
        middle = (low + high) // 2
        if (now - _entry(state, middle)) & MASK >= period:
            low = middle + 1
        else:
            high = middle
    return low


def probe(state: bytes, limit: Limit, cost: int, now: int) -> tuple[int, int]:
    """Return ``(wait, remaining)``: microseconds until ``cost`` would be admitted, and what is left now."""
    if cost > limit.amount:
        return NEVER, max(0, limit.amount - standing(state, limit, now))
    if not state:
        return 0, limit.amount
    at = clamp(_entry(state, -1 + len(state) // ENTRY), now)
    count = len(state) // ENTRY
    gone = _expired(state, limit.period, at)
    left = max(0, limit.amount - (count - gone))
    if cost <= left:
        return 0, left
    must_go = _entry(state, count + cost - limit.amount - 1)
    return limit.period - ((at - must_go) & MASK) + at - now, left


def charge(state: bytes, limit: Limit, cost: int, now: int) -> tuple[bytes, int, int]:
    """Return ``(state, stamp, remaining)`` after charging ``cost``."""
    at = clamp(_entry(state, -1 + len(state) // ENTRY), now) if state else now
    kept = state[_expired(state, limit.period, at) * ENTRY :]
    charged = kept + (at & MASK).to_bytes(ENTRY, "big") * cost
    return charged, at, max(0, limit.amount - len(charged) // ENTRY)


def standing(state: bytes, limit: Limit, now: int) -> int:
    """Return how many charges stand at ``now``."""
    if not state:
        return 0
    at = clamp(_entry(state, -1 + len(state) // ENTRY), now)
    return len(state) // ENTRY - _expired(state, limit.period, at)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the log in which the charges of both stand; ``limit`` is not needed."""
    entries = [log[i : i + ENTRY] for log in (one, other) for i in range(0, len(log), ENTRY)]
    entries.sort(key=lambda entry: -((now + HALF - int.from_bytes(entry, "big")) & MASK))
    return b"".join(entries)


def lifetime(state: bytes, limit: Limit, now: int) -> int:
    """Return for how many microseconds the state still says something."""
    last = _entry(state, -1 + len(state) // ENTRY)
    return max(1, limit.period - ((clamp(last, now) - last) & MASK) + clamp(last, now) - now)
