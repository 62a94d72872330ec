"""Row: one counter as ``decide.lua`` reads it. What depends on the limit alone is packed once for each limit."""

from __future__ import annotations

from struct import Struct
from typing import NamedTuple

from authguard.errors import ConfigurationError
from authguard.limits import Algorithm, Counter, Counts, Limit, Mode, gcra

LONG = 500
"""Above this amount a sliding log is appended to and read in places; up to it, read and written as a whole."""
FAILURE_LOG = 1
DISTINCT_FAILURES = 2
LONG_LOG = 5
RESERVATIONS = 11
_SLIDING_LOG = 4
_ATTEMPTS = {
    Algorithm.DISTINCT: 3,
    Algorithm.SLIDING_LOG: _SLIDING_LOG,
    Algorithm.FIXED_WINDOW: 6,
    Algorithm.SLIDING_COUNTER: 7,
    Algorithm.LEAKY_BUCKET: 8,
    Algorithm.TOKEN_BUCKET: 8,
    Algorithm.GCRA: 8,
    Algorithm.BACKOFF: 9,
    Algorithm.BUDGET: 10,
}
_FAILURES = {Algorithm.SLIDING_LOG: FAILURE_LOG, Algorithm.DISTINCT: DISTINCT_FAILURES}
_HEAD = Struct(">BBBBHd")
_NUMBERS = Struct(">ddd")
_MOST_SHAPES = 4_096


class _Shape(NamedTuple):
    """What the rows of a limit have in common: its kinds, its numbers packed, and what stands behind them."""

    limit: Limit
    attempts: int
    failures: int
    numbers: bytes
    more: bytes


_SHAPES: dict[int, _Shape] = {}


def pack_row(counter: Counter, *, guessing: bool) -> bytes:
    """Return the row; its first byte is the kind. ``guessing``: whether there is a guess that may join another."""
    limit = counter.limit
    shape = _SHAPES.get(id(limit))
    if shape is None or shape.limit is not limit:
        shape = _remember(limit)
    if counter.counts is Counts.FAILURES:
        kind = shape.failures
    elif counter.counts is Counts.RESERVATIONS:
        kind = RESERVATIONS
    else:
        # A log that is merged with others is read as a whole, however long.
        kind = _SLIDING_LOG if counter.previous and shape.attempts == LONG_LOG else shape.attempts
    more = shape.more or (counter.member if limit.algorithm is Algorithm.DISTINCT else b"")
    looks = (counter.mode is Mode.SHADOW) + 2 * (not counter.charges)
    joins = counter.joins and guessing
    return _HEAD.pack(kind, looks, joins, len(counter.previous), len(more), counter.cost) + shape.numbers + more


def kind_of_failures(limit: Limit) -> int:
    """Return how ``settle.lua`` calls a counter of failures."""
    return _FAILURES[limit.algorithm]


def _remember(limit: Limit) -> _Shape:
    """Make a limit's shape, and keep it with the limit itself, so that no other can have its ``id`` meanwhile."""
    algorithm = limit.algorithm
    if algorithm not in _ATTEMPTS:
        raise ConfigurationError(f"the Redis store can't count by {algorithm}; use another store for it")
    amount, period, burst, more = limit.amount, limit.period, limit.burst, b""
    if algorithm is Algorithm.GCRA:
        amount, period = gcra.RATE, gcra.interval(limit)
    elif limit.gaps:
        burst, more = len(limit.gaps), Struct(f">{len(limit.gaps)}d").pack(*limit.gaps)
    long = algorithm is Algorithm.SLIDING_LOG and amount > LONG
    attempts = LONG_LOG if long else _ATTEMPTS[algorithm]
    shape = _Shape(limit, attempts, _FAILURES.get(algorithm, 0), _NUMBERS.pack(amount, period, burst), more)
    if len(_SHAPES) >= _MOST_SHAPES:
        _SHAPES.clear()
    _SHAPES[id(limit)] = shape
    return shape
