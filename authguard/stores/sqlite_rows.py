"""SQLite rows: the statements by which states are read, written, dropped and swept; nothing here begins or commits."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice
from sqlite3 import Cursor

STRIDE = 128
"""Rows that a sweep looks at, at least; a statement costs as much as a good many rows."""
PER_ROW = 2
"""Rows looked at for each one written, so that at most as many expired rows as living ones remain."""
QUERY_SIZE = 500
"""Places in one statement, well below what any build of SQLite takes."""
PRIME = (1 << 62) - 57
"""The largest prime that leaves room for the last bit of a place."""
NEIGHBOURS = (1 << 50) - 1
"""The part of a place that is the nonce's own; the rest is that of the first counter."""

_WRITE = "REPLACE INTO held VALUES (?, ?, ?)"
_STRETCH = "SELECT max(key), count(*) FROM (SELECT key FROM held WHERE key > ? ORDER BY key LIMIT ?)"
_SWEEP = "DELETE FROM held WHERE key > ? AND key <= ? AND expires <= ?"


Row = tuple[int, int, bytes]
"""A place, the store's time at which its state is gone, and the state; a plain tuple, which is bound fastest."""


def place(key: bytes) -> int:
    """Return where the counter under ``key`` stands: an even number below 2^63.

    SQLite finds a whole number faster than bytes, and keeps the rows of such a table on the leaves of its tree
    alone, so that fewer pages are written. Keys are pseudonyms: nobody can choose two for one place, and by chance one
    store of a million counters in nine million has such a pair, which then share a budget.
    """
    return int.from_bytes(key) % PRIME * 2


def place_beside(first: int, nonce: bytes) -> int:
    """Return where the record under ``nonce`` stands: an odd number, so that it is never a counter's.

    It is near the place ``first`` of the plan's first counter: the two rows mostly share a page, and a decision writes
    one page less. Two nonces may meet: of a hundred thousand beside one counter, in one store of a hundred thousand. So
    a record names its nonce, and the later one stands.
    """
    return first & ~NEIGHBOURS | int.from_bytes(nonce) << 1 & NEIGHBOURS | 1


@cache
def _query(places: int) -> str:
    """Return the statement that looks up ``places`` places; subqueries in a row are faster than ``IN``, which sorts."""
    one = f"(SELECT state FROM held WHERE key = ?{{}} AND expires > ?{places + 1})"  # noqa: S608
    return "SELECT " + ", ".join(one.format(number) for number in range(1, places + 1))


def read(cursor: Cursor, places: Sequence[int], now: int) -> Sequence[bytes | None]:
    """Return the states at ``places``; ``None`` where there is none, or one that has expired."""
    found: Sequence[bytes | None] = cursor.execute(_query(len(places)), (*places, now)).fetchone()
    return found


def write(cursor: Cursor, rows: Sequence[Row]) -> None:
    """Put each row in its place, instead of the one there."""
    cursor.executemany(_WRITE, rows)


def overwrite(cursor: Cursor, place: int, state: bytes, expires: int) -> None:
    """Change the state at ``place``, which expires when it would have, or at ``expires`` if that is later."""
    cursor.execute("UPDATE held SET state = ?, expires = max(expires, ?) WHERE key = ?", (state, expires, place))


def drop(cursor: Cursor, places: Iterable[int], now: int) -> int:
    """Drop the living rows at ``places`` and return how many there were."""
    rest, dropped = iter(places), 0
    while some := tuple(islice(rest, QUERY_SIZE)):
        marks = ", ".join("?" * len(some))
        statement = f"DELETE FROM held WHERE key IN ({marks}) AND expires > ?"  # noqa: S608
        dropped += cursor.execute(statement, (*some, now)).rowcount
    return dropped


class Sweeper:
    """A hand that goes round the table, a stretch at a time, and drops the expired rows it comes across.

    It needs no index, and so costs a write nothing. Each process has a hand of its own, set off somewhere by chance.
    """

    def __init__(self) -> None:
        self._hand = place(secrets.token_bytes(16))
        self._owed = 0

    def follow(self, cursor: Cursor, written: int, now: int) -> None:
        """Keep up with ``written`` rows: look at more than were written, every few writes."""
        self._owed += PER_ROW * written
        if self._owed >= STRIDE:
            self.sweep(cursor, self._owed, now)
            self._owed = 0

    def sweep(self, cursor: Cursor, rows: int, now: int) -> None:
        """Look at the next ``rows`` rows, to the end of the table at most."""
        last, count = cursor.execute(_STRETCH, (self._hand, rows)).fetchone()
        if count:
            cursor.execute(_SWEEP, (self._hand, last, now))
        self._hand = last if count == rows else -1
