"""Row: one counter as ``decide.lua`` reads it. Rows are packed once for each limit and way of using it."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from authguard.errors import ConfigurationError
from authguard.limits import Algorithm, Counter, Counts, Limit, Mode, gcra

LONG = 500
"""Above this amount a sliding log is appended to and read in places; up to it, read and written as a whole."""
MERGED = 0
"""No kind of its own: the bit of plans in which a counter has previous keys, whose states are merged."""
FAILURE_LOG = 1
DISTINCT_FAILURES = 2
DISTINCT_ATTEMPTS = 3
SLIDING_LOG = 4
LONG_LOG = 5
FIXED_WINDOW = 6
SLIDING_COUNTER = 7
LEAKY_BUCKET = 8
BACKOFF = 9
BUDGET = 10
RESERVATIONS = 11
_ATTEMPTS = {
    Algorithm.DISTINCT: DISTINCT_ATTEMPTS,
    Algorithm.SLIDING_LOG: SLIDING_LOG,
    Algorithm.FIXED_WINDOW: FIXED_WINDOW,
    Algorithm.SLIDING_COUNTER: SLIDING_COUNTER,
    Algorithm.LEAKY_BUCKET: LEAKY_BUCKET,
    Algorithm.TOKEN_BUCKET: LEAKY_BUCKET,
    Algorithm.GCRA: LEAKY_BUCKET,
    Algorithm.BACKOFF: BACKOFF,
    Algorithm.BUDGET: BUDGET,
}
_FAILURES = {Algorithm.SLIDING_LOG: FAILURE_LOG, Algorithm.DISTINCT: DISTINCT_FAILURES}
_ROW = Struct(">BBBBHdddd")
_MOST = 4_096
_SHADOW = Mode.SHADOW


class Row(NamedTuple):
    """A packed row, but for the member of a distinct counter, and the bit of the kind that it is of.

    ``simple`` rows are of counters with one key, which is read as a whole, and without a member.
    """

    limit: Limit
    bit: int
    packed: bytes
    simple: bool


_ROWS: dict[tuple[object, ...], Row] = {}


def row_of(counter: Counter, *, guessing: bool) -> Row:
    """Return the row of ``counter``. ``guessing``: whether there is a guess that may join another."""
    limit, joins = counter.limit, guessing and counter.joins
    # The limit's identity stands for the limit: to hash its fields would take longer than to pack the row.
    shadow = counter.mode is _SHADOW
    use = (id(limit), counter.cost, counter.counts, shadow, counter.charges, joins, len(counter.previous))
    row = _ROWS.get(use)
    if row is None or row[0] is not limit:
        if len(_ROWS) >= _MOST:
            _ROWS.clear()
        # The row keeps the limit, so that no other can have its `id` meanwhile.
        row = _ROWS[use] = _pack(counter, joins=joins)
    return row


def _pack(counter: Counter, *, joins: bool) -> Row:
    limit, olds = counter.limit, len(counter.previous)
    kind, algorithm = _kind_of(counter), limit.algorithm
    amount, period, burst, more = limit.amount, limit.period, limit.burst, b""
    if algorithm is Algorithm.GCRA:
        amount, period = gcra.RATE, gcra.interval(limit)
    elif limit.gaps:
        burst, more = len(limit.gaps), Struct(f">{len(limit.gaps)}d").pack(*limit.gaps)
    looks = (counter.mode is Mode.SHADOW) + 2 * (not counter.charges)
    size = len(counter.member) if algorithm is Algorithm.DISTINCT else len(more)
    packed = _ROW.pack(kind, looks, joins, olds, size, counter.cost, amount, period, burst) + more
    simple = not olds and kind != LONG_LOG and algorithm is not Algorithm.DISTINCT
    return Row(limit, 1 << kind, packed, simple)


def _kind_of(counter: Counter) -> int:
    limit = counter.limit
    if limit.algorithm not in _ATTEMPTS:
        raise ConfigurationError(f"the Redis store can't count by {limit.algorithm}; use another store for it")
    if counter.counts is Counts.FAILURES:
        return _FAILURES[limit.algorithm]
    if counter.counts is Counts.RESERVATIONS:
        return RESERVATIONS
    # A log that is merged with others is read as a whole, however long.
    long = limit.algorithm is Algorithm.SLIDING_LOG and limit.amount > LONG and not counter.previous
    return LONG_LOG if long else _ATTEMPTS[limit.algorithm]
