"""Budget: at most ``amount`` units in every period, weighted by cost, and reserved before they are spent.

What is spent is summed in buckets of a sixtieth of the period, aligned to the epoch. A bucket counts until its last
microsecond is a whole period old. So no window ever holds more than the amount, a spent unit counts at most one bucket
longer than an exact log would count it, and the state of a large budget stays small.

What is reserved counts until it is spent, given up, or expired: a worker that died in between costs nothing for long.

The state, big-endian: the latest time it was changed at (8 bytes) and the number of buckets (2); for each bucket, the
oldest first, its last microsecond (8) and its sum (8); for each reservation when it expires (8), a tag (7) and its
units (8). Time never runs backwards inside it. A state of any other length counts as a budget just spent.
"""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from authguard.limits.counting import NEVER, Count, refuse
from authguard.limits.limit import Limit
from authguard.limits.plan import NO_TAG

BUCKETS = 60
"""Into how many buckets a period is divided."""

_HEAD = Struct(">QH")
_SPENT = Struct(">QQ")
_RESERVED = Struct(">Q7sQ")


class _Book(NamedTuple):
    """What counts at ``at``, the effective time: units spent by bucket, and reservations (expiry, tag, units)."""

    at: int
    spent: dict[int, int]
    reserved: list[tuple[int, bytes, int]]

    @property
    def taken(self) -> int:
        return sum(self.spent.values()) + sum(units for _, _, units in self.reserved)


def count(state: bytes, limit: Limit, cost: int, now: int, tag: bytes = NO_TAG, hold: int = 0) -> Count:
    """Count ``cost`` units: reserved under ``tag`` for ``hold`` microseconds if they are charged, or spent at once."""
    book = _read(state, limit, now)
    left = max(0, limit.amount - book.taken)
    if cost > left:
        return refuse(NEVER if cost > limit.amount else _wait(book, limit, cost, now), left)
    if hold:
        book.reserved.append((book.at + hold, tag, cost))
    else:
        _spend(book, limit, cost)
    return 0, left, _write(book), book.at, _lifetime(book, limit, now), left - cost


def under_way(state: bytes, limit: Limit, now: int) -> int:
    """Return how many units are reserved."""
    return sum(units for _, _, units in _read(state, limit, now).reserved)


def spend(state: bytes, limit: Limit, cost: int, now: int, expires: int, tag: bytes) -> bytes | None:
    """Return the state in which a reservation has become spent units, ``None`` where it stands no longer."""
    book = _read(state, limit, now)
    if not _take(book, (expires, tag, cost)):
        return None
    _spend(book, limit, cost)
    return _write(book)


def give_up(state: bytes, limit: Limit, cost: int, now: int, expires: int, tag: bytes) -> bytes:
    """Return the state without a reservation."""
    book = _read(state, limit, now)
    return _write(book) if _take(book, (expires, tag, cost)) else state


def give_back(state: bytes, limit: Limit, cost: int, now: int, spent_at: int) -> bytes:
    """Return the state without units that were spent at ``spent_at``, if their bucket still counts.

    Where a clock had stepped back, their bucket is a later one: then what stands in this one is taken, which goes
    no later than theirs would have.
    """
    book = _read(state, limit, now)
    bucket = _bucket(limit, spent_at)
    units = book.spent.get(bucket, 0)
    if not units:
        return state
    book.spent[bucket] = max(0, units - cost)
    return _write(book)


def lifetime(state: bytes, limit: Limit, now: int) -> int:
    """Return for how many microseconds, at least 1, a state that isn't empty still says something."""
    return _lifetime(_read(state, limit, now), limit, now)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the state in which what counts in either counts."""
    first, second = _read(one, limit, now), _read(other, limit, now)
    for bucket, units in second.spent.items():
        first.spent[bucket] = first.spent.get(bucket, 0) + units
    return _pack(max(first.at, second.at), first.spent, [*first.reserved, *second.reserved])


def _read(state: bytes, limit: Limit, now: int) -> _Book:
    if not state:
        return _Book(now, {}, [])
    reservations = _HEAD.size + _SPENT.size * int.from_bytes(state[8 : _HEAD.size])
    if len(state) < max(_HEAD.size, reservations) or (len(state) - reservations) % _RESERVED.size:
        return _Book(now, {_bucket(limit, now): limit.amount}, [])
    at = max(now, int.from_bytes(state[:8]))
    spent = {
        bucket: units
        for bucket, units in _SPENT.iter_unpack(state[_HEAD.size : reservations])
        if at < bucket + limit.period
    }
    return _Book(at, spent, [each for each in _RESERVED.iter_unpack(state[reservations:]) if at < each[0]])


def _write(book: _Book) -> bytes:
    """Return the state of what counts; empty when nothing does."""
    spent = {bucket: units for bucket, units in book.spent.items() if units}
    return _pack(book.at, spent, book.reserved) if spent or book.reserved else b""


def _pack(at: int, spent: dict[int, int], reserved: list[tuple[int, bytes, int]]) -> bytes:
    parts = [_HEAD.pack(at, len(spent))]
    parts += [_SPENT.pack(bucket, units) for bucket, units in sorted(spent.items())]
    parts += [_RESERVED.pack(*each) for each in reserved]
    return b"".join(parts)


def _bucket(limit: Limit, at: int) -> int:
    """Return the last microsecond of the bucket that ``at`` falls in."""
    width = -(-limit.period // BUCKETS)
    return at - at % width + width - 1


def _spend(book: _Book, limit: Limit, cost: int) -> None:
    bucket = _bucket(limit, book.at)
    book.spent[bucket] = book.spent.get(bucket, 0) + cost


def _take(book: _Book, reservation: tuple[int, bytes, int]) -> bool:
    """Take a reservation out of the book; return whether it was there."""
    if reservation not in book.reserved:
        return False
    book.reserved.remove(reservation)
    return True


def _leaves(book: _Book, limit: Limit) -> list[tuple[int, int]]:
    """Return when units count no longer, and how many."""
    spent = [(bucket + limit.period, units) for bucket, units in book.spent.items()]
    return sorted([*spent, *((expires, units) for expires, _, units in book.reserved)])


def _wait(book: _Book, limit: Limit, cost: int, now: int) -> int:
    """Return after how long ``cost`` is admitted if every reservation is left to expire."""
    surplus = book.taken + cost - limit.amount
    for leaves, units in _leaves(book, limit):
        surplus -= units
        if surplus <= 0:
            return leaves - now
    return NEVER


def _lifetime(book: _Book, limit: Limit, now: int) -> int:
    return max(1, max(leaves for leaves, _ in _leaves(book, limit)) - now)
