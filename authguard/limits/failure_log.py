"""Failure log: the sliding log of attempts that may yet be refunded, joined or cleared.

An entry has 16 bytes: the time (6, as in every log), a flag (1: the attempt is under way, 0: it failed), a tag (7:
which client on which account, or which distinct member) and the guess (2).
"""

from __future__ import annotations

from authguard.limits import log
from authguard.limits.counting import Count
from authguard.limits.limit import Limit
from authguard.limits.log import MASK, TIME, time_at

ENTRY = 16
TAG = TIME + 1
"""Where an entry's tag begins."""
UNDER_WAY = b"\x01"
FAILED = b"\x00"


def count(state: bytes, limit: Limit, cost: int, now: int, mark: bytes) -> Count:
    """Count ``cost`` entries marked ``mark`` (tag and guess), under way if they are charged."""
    return log.count(state, limit, cost, now, ENTRY, UNDER_WAY + mark)


def stands_for(state: bytes, limit: Limit, now: int, mark: bytes) -> int:
    """Return for how many microseconds the same guess by the same client stands still; 0: it doesn't."""
    if mark not in state:
        return 0
    at = log.effective(state, ENTRY, now)
    for start in range(len(state) - ENTRY, -1, -ENTRY):
        if state.startswith(mark, start + TAG):
            left = limit.period - ((at - time_at(state, start)) & MASK)
            return left + at - now if left > 0 else 0
    return 0


def under_way(state: bytes, limit: Limit, now: int, hold: int) -> int:
    """Return how many standing entries belong to attempts begun less than ``hold`` microseconds ago and unsettled."""
    at = log.effective(state, ENTRY, now)
    recent = log.standing(state, ENTRY, min(hold, limit.period), at)
    return sum(recent[TIME::ENTRY])


def refund(state: bytes, cost: int, stamp: int, mark: bytes) -> bytes:
    """Return the state without the ``cost`` entries that this attempt charged at ``stamp``."""
    return _change(state, cost, _entry(stamp, UNDER_WAY, mark), b"")


def fail(state: bytes, cost: int, stamp: int, mark: bytes) -> bytes:
    """Return the state in which this attempt's entries are no longer under way."""
    return _change(state, cost, _entry(stamp, UNDER_WAY, mark), _entry(stamp, FAILED, mark))


def clear(state: bytes, tag: bytes) -> bytes:
    """Return the state without any entry of ``tag``: one client on one account."""
    if tag not in state:
        return state
    starts = range(0, len(state), ENTRY)
    return b"".join(state[i : i + ENTRY] for i in starts if not state.startswith(tag, i + TAG))


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the log in which the entries of both stand."""
    return log.merge(one, other, ENTRY, now)


def lifetime(state: bytes, limit: Limit, now: int) -> int:
    """Return for how many microseconds, at least 1, a state that isn't empty still says something."""
    return log.lifetime(state, ENTRY, limit, now)


def _entry(stamp: int, flag: bytes, mark: bytes) -> bytes:
    return (stamp & MASK).to_bytes(TIME, "big") + flag + mark


def _change(state: bytes, most: int, own: bytes, instead: bytes) -> bytes:
    """Return the state in which the first ``most`` entries that equal ``own`` have become ``instead``."""
    start = state.find(own)
    while most and start >= 0:
        if start % ENTRY:
            start = state.find(own, start + 1)
            continue
        state = state[:start] + instead + state[start + ENTRY :]
        most -= 1
        start = state.find(own, start + len(instead))
    return state
