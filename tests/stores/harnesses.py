"""Harnesses: each store as the contract suite sees it."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Sized
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from authguard.clock import SECOND, Clock, ManualClock
from authguard.stores import Store
from authguard.stores.memory import MemoryStore
from authguard.stores.sqlite import SQLiteStore
from authguard.testing import StoreUnderTest

PATIENT = 30 * SECOND
"""A deadline that the tests of atomicity never meet, whatever else the machine does."""


class FixedClock(NamedTuple):
    """A clock that can be sent to another process; it never moves."""

    at: int

    def now(self) -> int:
        return self.at


@contextmanager
def memory(max_keys: int = 1_000_000) -> Iterator[StoreUnderTest]:
    """Give a memory store."""
    clock = ManualClock()
    store = MemoryStore(clock, max_keys)
    yield StoreUnderTest(store, clock.advance, partial(dump_memory, store))
    store.close()


def dump_memory(store: MemoryStore) -> tuple[object, Sized, Sized]:
    """Return all that a memory store holds: counters, nonces, and what the sweep will look at."""
    shelf = store._shelf
    counters = {key: tuple(log) for key, log in shelf.logs.items()}, dict(shelf.states)
    return counters, dict(shelf.nonces), list(shelf.expiries)


@contextmanager
def sqlite(max_bytes: int = 1 << 28) -> Iterator[StoreUnderTest]:
    """Give a SQLite store in a file of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.db")
        clock = ManualClock()
        store = SQLiteStore(path, deadline=PATIENT, clock=clock, max_bytes=max_bytes)
        yield StoreUnderTest(
            store, clock.advance, partial(dump_sqlite, path), partial(open_sqlite, path, FixedClock(clock.now()))
        )
        store.close()


def dump_sqlite(path: Path) -> object:
    """Return all rows of a SQLite store, and the bytes of its files."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT * FROM held ORDER BY key").fetchall()
    log = path.with_name(path.name + "-wal")
    return rows, path.read_bytes(), log.read_bytes() if log.exists() else b""


def open_sqlite(path: Path, clock: Clock) -> Store:
    """Open the store in another process."""
    return SQLiteStore(path, deadline=PATIENT, clock=clock)


def count_rows(path: Path) -> int:
    """Return how many rows a SQLite store holds."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM held").fetchone()[0])
