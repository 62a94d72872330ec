"""Failure log: the sliding log of attempts that may yet be refunded, joined or cleared.

An entry has 16 bytes: the time (6, as in the sliding log), a flag (1: the attempt is under way, 0: it failed), a
tag (7: which client on which account, or which distinct member) and the guess (2). Oldest entry first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from authguard.limits.decision import NEVER
from authguard.limits.limit import Limit
from authguard.limits.plan import GUESS_SIZE, NO_GUESS, TAG_SIZE
from authguard.limits.sliding_log import HALF, MASK, clamp

ENTRY = 16
TIME = 6
MARK = TAG_SIZE + GUESS_SIZE
UNDER_WAY = b"\x01"
FAILED = b"\x00"


def when(entry: bytes) -> int:
    """Return the low 48 bits of an entry's time."""
    return int.from_bytes(entry[:TIME], "big")


def entries(state: bytes) -> Iterator[bytes]:
    """Yield the entries, oldest first."""
    return (state[i : i + ENTRY] for i in range(0, len(state), ENTRY))


def effective(state: bytes, now: int) -> int:
    """Return ``now``, never earlier than the last entry."""
    return clamp(when(state[-ENTRY:]), now) if state else now


def standing(state: bytes, limit: Limit, now: int) -> list[bytes]:
    """Return the entries that stand at ``now``, oldest first."""
    at = effective(state, now)
    return [entry for entry in entries(state) if (at - when(entry)) & MASK < limit.period]


def probe(state: bytes, limit: Limit, cost: int, now: int) -> tuple[int, int]:
    """Return ``(wait, remaining)``, as the sliding log does."""
    alive = standing(state, limit, now)
    left = max(0, limit.amount - len(alive))
    if cost > limit.amount:
        return NEVER, left
    if cost <= left:
        return 0, left
    at = effective(state, now)
    must_go = when(alive[len(alive) + cost - limit.amount - 1])
    return limit.period - ((at - must_go) & MASK) + at - now, left


def charge(state: bytes, limit: Limit, cost: int, now: int, mark: bytes) -> tuple[bytes, int, int]:
    """Return ``(state, stamp, remaining)`` after ``cost`` entries marked ``mark`` (tag and guess) got under way."""
    at = effective(state, now)
    alive = standing(state, limit, now)
    entry = (at & MASK).to_bytes(TIME, "big") + UNDER_WAY + mark
    return b"".join(alive) + entry * cost, at, max(0, limit.amount - len(alive) - cost)


def holds(state: bytes, limit: Limit, now: int, mark: bytes) -> bool:
    """Return whether the same guess by the same client already stands."""
    return mark[TAG_SIZE:] != NO_GUESS and any(entry[TIME + 1 :] == mark for entry in standing(state, limit, now))


def under_way(state: bytes, limit: Limit, now: int, hold: int) -> int:
    """Return how many standing entries belong to attempts begun less than ``hold`` microseconds ago and unsettled."""
    at = effective(state, now)
    alive = standing(state, limit, now)
    return sum(entry[TIME : TIME + 1] == UNDER_WAY and (at - when(entry)) & MASK < hold for entry in alive)


def refund(state: bytes, cost: int, stamp: int, mark: bytes) -> bytes:
    """Return the state without the ``cost`` entries that this attempt charged at ``stamp``."""
    return _change(state, cost, stamp, mark, lambda entry: b"")


def fail(state: bytes, cost: int, stamp: int, mark: bytes) -> bytes:
    """Return the state in which this attempt's entries are no longer under way."""
    return _change(state, cost, stamp, mark, lambda entry: entry[:TIME] + FAILED + entry[TIME + 1 :])


def clear(state: bytes, tag: bytes) -> bytes:
    """Return the state without any entry of ``tag``: one client on one account."""
    return b"".join(entry for entry in entries(state) if entry[TIME + 1 : TIME + 1 + TAG_SIZE] != tag)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the log in which the entries of both stand."""
    both = [*entries(one), *entries(other)]
    both.sort(key=lambda entry: -((now + HALF - when(entry)) & MASK))
    return b"".join(both)


def lifetime(state: bytes, limit: Limit, now: int) -> int:
    """Return for how many microseconds the state still says something."""
    at = effective(state, now)
    return max(1, limit.period - ((at - when(state[-ENTRY:])) & MASK) + at - now)


def _change(state: bytes, cost: int, stamp: int, mark: bytes, change: Callable[[bytes], bytes]) -> bytes:
    own = (stamp & MASK).to_bytes(TIME, "big") + UNDER_WAY + mark
    changed = []
    for entry in entries(state):
        mine = cost > 0 and entry == own
        cost -= mine
        changed.append(change(entry) if mine else entry)
    return b"".join(changed)
