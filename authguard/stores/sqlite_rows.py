"""SQLite rows: the statements by which states are read, written, dropped and swept; nothing here begins or commits."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from functools import cache
from itertools import islice
from sqlite3 import Connection

from authguard.limits.plan import KEY_SIZE

STRIDE = 128
"""Rows that a sweep looks at, at least; a statement costs as much as a good many rows."""
PER_ROW = 2
"""Rows looked at for each one written, so that at most as many expired rows as living ones remain."""
QUERY_SIZE = 500
"""Keys in one statement, well below what any build of SQLite takes."""

_WRITE = (
    "INSERT INTO held (key, expires, state) VALUES (?, ?, ?)"
    " ON CONFLICT (key) DO UPDATE SET expires = excluded.expires, state = excluded.state"
)
_STRETCH = "SELECT max(key), count(*) FROM (SELECT key FROM held WHERE key > ? ORDER BY key LIMIT ?)"
_SWEEP = "DELETE FROM held WHERE key > ? AND key <= ? AND expires <= ?"


Row = tuple[bytes, int, bytes]
"""A key, the store's time at which its state is gone, and the state; a plain tuple, which is bound fastest."""


@cache
def _query(keys: int) -> str:
    """Return the statement that looks up ``keys`` keys; subqueries in a row are faster than ``IN``, which sorts."""
    one = f"(SELECT state FROM held WHERE key = ?{{}} AND expires > ?{keys + 1})"  # noqa: S608
    return "SELECT " + ", ".join(one.format(place) for place in range(1, keys + 1))


def read(connection: Connection, keys: Sequence[bytes], now: int) -> dict[bytes, bytes]:
    """Return the states under ``keys`` that have not expired."""
    found = connection.execute(_query(len(keys)), (*keys, now)).fetchone()
    return {key: state for key, state in zip(keys, found, strict=True) if state is not None}


def write(connection: Connection, rows: Sequence[Row]) -> None:
    """Put each row in the place of the one with its key."""
    connection.executemany(_WRITE, rows)


def overwrite(connection: Connection, key: bytes, state: bytes, expires: int) -> None:
    """Change the state under ``key``, which expires when it would have, or at ``expires`` if that is later."""
    connection.execute("UPDATE held SET state = ?, expires = max(expires, ?) WHERE key = ?", (state, expires, key))


def drop(connection: Connection, keys: Sequence[bytes], now: int) -> int:
    """Drop the living rows under ``keys`` and return how many there were."""
    rest, dropped = iter(keys), 0
    while some := tuple(islice(rest, QUERY_SIZE)):
        marks = ", ".join("?" * len(some))
        statement = f"DELETE FROM held WHERE key IN ({marks}) AND expires > ?"  # noqa: S608
        dropped += connection.execute(statement, (*some, now)).rowcount
    return dropped


class Sweeper:
    """A hand that goes round the table, a stretch at a time, and drops the expired rows it comes across.

    It needs no index, and so costs a write nothing. Each process has a hand of its own, set off somewhere by chance.
    """

    def __init__(self) -> None:
        self._hand = secrets.token_bytes(KEY_SIZE)
        self._owed = 0

    def follow(self, connection: Connection, written: int, now: int) -> None:
        """Keep up with ``written`` rows: look at more than were written, every few writes."""
        self._owed += PER_ROW * written
        if self._owed >= STRIDE:
            self.sweep(connection, self._owed, now)
            self._owed = 0

    def sweep(self, connection: Connection, rows: int, now: int) -> None:
        """Look at the next ``rows`` rows, to the end of the table at most."""
        last, count = connection.execute(_STRETCH, (self._hand, rows)).fetchone()
        if count:
            connection.execute(_SWEEP, (self._hand, last, now))
        self._hand = last if count == rows else b""
