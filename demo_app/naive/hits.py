"""Hits: where hand-written counters keep their times, shared by all workers or in one worker's memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from threading import Lock
from typing import Protocol

from demo_app.database import open_database


class Log(Protocol):
    """Hits by key, open for one caller at a time; times are in seconds since the Unix epoch."""

    def times(self, key: str, since: float) -> list[float]:
        """Return the hits of ``key`` after ``since``, oldest first."""
        ...

    def add(self, key: str, at: float) -> None:
        """Add a hit."""
        ...

    def remove(self, key: str, at: float) -> None:
        """Take back the hit added at ``at``."""
        ...

    def clear(self, key: str) -> None:
        """Forget all hits of ``key``."""
        ...


class Hits(Protocol):
    """A place for logs."""

    def open(self) -> AbstractContextManager[Log]:
        """Open the log; nobody else reads or writes it meanwhile."""
        ...


class SharedHits:
    """Hits in an SQLite file, one transaction an opening."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with closing(open_database(path)) as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS hits (key TEXT, at REAL)")
            connection.execute("CREATE INDEX IF NOT EXISTS by_key ON hits (key, at)")

    @contextmanager
    def open(self) -> Iterator[Log]:
        """Open the file's log."""
        with closing(open_database(self._path)) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            yield _TableLog(connection)


class _TableLog:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def times(self, key: str, since: float) -> list[float]:
        rows = self._connection.execute("SELECT at FROM hits WHERE key = ? AND at > ? ORDER BY at", (key, since))
        return [row["at"] for row in rows]

    def add(self, key: str, at: float) -> None:
        self._connection.execute("INSERT INTO hits VALUES (?, ?)", (key, at))

    def remove(self, key: str, at: float) -> None:
        self._connection.execute("DELETE FROM hits WHERE key = ? AND at = ?", (key, at))

    def clear(self, key: str) -> None:
        self._connection.execute("DELETE FROM hits WHERE key = ?", (key,))


class PrivateHits:
    """Hits in a dictionary of this process."""

    def __init__(self) -> None:
        self._log = DictLog()
        self._lock = Lock()

    @contextmanager
    def open(self) -> Iterator[Log]:
        """Open this process's log."""
        with self._lock:
            yield self._log


class DictLog:
    """A log in ``hits``, a dictionary."""

    def __init__(self) -> None:
        self.hits: dict[str, list[float]] = {}

    def times(self, key: str, since: float) -> list[float]:
        """See :class:`Log`."""
        return [at for at in self.hits.get(key, []) if at > since]

    def add(self, key: str, at: float) -> None:
        """See :class:`Log`."""
        self.hits.setdefault(key, []).append(at)

    def remove(self, key: str, at: float) -> None:
        """See :class:`Log`."""
        self.hits[key].remove(at)

    def clear(self, key: str) -> None:
        """See :class:`Log`."""
        self.hits.pop(key, None)
