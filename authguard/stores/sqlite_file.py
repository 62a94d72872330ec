"""SQLite file: this process's way into the store's database, one transaction at a time and within the deadline."""

from __future__ import annotations

import os
import sqlite3
import weakref
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, local
from time import monotonic_ns
from typing import TypeVar

from authguard.errors import StoreError, StoreFull, StoreTimeout, StoreUnavailable
from authguard.stores.file_lock import PAUSE, FileLock
from authguard.stores.sqlite_start import connect, lock_path

PRIMARY = 0xFF
"""The part of SQLite's result codes that says what kind of fault it is."""
_NEVER = Event()

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Handle:
    """An open database, the lock in front of it, which file on disk it is, and the process that opened it."""

    connection: sqlite3.Connection
    cursor: sqlite3.Cursor
    lock: FileLock
    identity: tuple[int, int]
    process: int

    def close(self) -> None:
        self.connection.close()
        self.lock.close()


class SQLiteFile:
    """One connection, passed from thread to thread, opened at the first call and again after a fault or a fork."""

    def __init__(self, path: Path, deadline: int, max_bytes: int) -> None:
        self._path = path
        self._name = str(path)
        self._deadline = deadline * 1000
        self._max_bytes = max_bytes
        self._turn = Lock()
        self._handle: _Handle | None = None
        self._closed = False
        _OPEN.add(self)

    def until(self) -> int:
        """Return the instant of the monotonic clock, in nanoseconds, by which a call that begins now has to end."""
        return monotonic_ns() + self._deadline

    def run(self, action: Callable[[sqlite3.Cursor], T], until: int = 0) -> T:
        """Return what ``action`` does inside a write transaction; whatever it raises takes back what it wrote.

        A call of several transactions says ``until`` when it waits; one of a single transaction need not.
        Raises ``StoreTimeout`` when others kept the file past the deadline, ``StoreFull`` when it is at its bound,
        and ``StoreUnavailable`` for any other fault; none of them leaves anything written.
        """
        until = until or self.until()
        self._take_turn(until)
        try:
            handle = self._ready(until)
            handle.lock.acquire(until)
            try:
                return _run(handle, action, until)
            finally:
                handle.lock.release()
        except (sqlite3.Error, OSError) as fault:
            raise self._named(fault) from fault
        finally:
            self._turn.release()

    def close(self) -> None:
        """Close the file for good."""
        with self._turn:
            self._closed = True
            self._let_go()

    def before_fork(self) -> None:
        """Wait for the transaction under way and close: SQLite forbids to carry a connection across a fork."""
        self._turn.acquire()
        self._let_go()

    def after_fork(self) -> None:
        """Let the threads go on; the next call opens the file anew."""
        self._turn.release()

    def _take_turn(self, until: int) -> None:
        if not self._turn.acquire(blocking=False) and not self._turn.acquire(
            timeout=max(0, until - monotonic_ns()) / 1e9
        ):
            raise StoreTimeout("other threads kept the store's file past the deadline")

    def _ready(self, until: int) -> _Handle:
        """Return the open database, and make sure that it still is the file that stands at the path."""
        if self._closed:
            raise StoreUnavailable("the store was closed")
        status = os.stat(self._name)  # noqa: PTH116 - in every call, and pathlib's costs twice as much
        identity = (status.st_dev, status.st_ino)
        if self._handle is not None and self._handle.process != os.getpid():
            raise StoreUnavailable("this process was forked past Python; open the store after the fork")
        if self._handle is None or self._handle.identity != identity:
            self._let_go()
            self._handle = self._opened(identity, until)
        return self._handle

    def _opened(self, identity: tuple[int, int], until: int) -> _Handle:
        with ExitStack() as undo:
            lock = FileLock(lock_path(self._path))
            undo.callback(lock.close)
            lock.acquire(until)
            # Who closes the database as the last one has it for itself meanwhile, and does not hold the lock.
            connection = connect(self._path, max(0, until - monotonic_ns()) / 1e9)
            undo.callback(connection.close)
            page = connection.execute("PRAGMA page_size").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count={max(1, self._max_bytes // page)}")
            connection.execute("PRAGMA busy_timeout=0")
            lock.release()
            undo.pop_all()
        return _Handle(connection, connection.cursor(), lock, identity, os.getpid())

    def _let_go(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            with suppress(sqlite3.Error):
                handle.close()

    def _named(self, fault: sqlite3.Error | OSError) -> StoreError:
        code = getattr(fault, "sqlite_errorcode", 0) & PRIMARY
        if code == sqlite3.SQLITE_FULL:
            return StoreFull(f"{self._path} is as large as it may become, or its disk is full")
        self._let_go()
        if code == sqlite3.SQLITE_BUSY:
            return StoreTimeout(f"{self._path} was locked past the deadline")
        return StoreUnavailable(f"{self._path} can't be used: {fault}")


def _begin(cursor: sqlite3.Cursor, until: int) -> None:
    """Begin a write; somebody who does not know the lock, an operator's shell perhaps, is waited for by polling."""
    while True:
        try:
            cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & PRIMARY != sqlite3.SQLITE_BUSY or monotonic_ns() >= until:
                raise
            _NEVER.wait(PAUSE)
        else:
            return


def _run(handle: _Handle, action: Callable[[sqlite3.Cursor], T], until: int) -> T:
    _begin(handle.cursor, until)
    try:
        result = action(handle.cursor)
        handle.cursor.execute("COMMIT")
    except BaseException:
        if handle.connection.in_transaction:
            handle.connection.rollback()
        raise
    return result


_OPEN: weakref.WeakSet[SQLiteFile] = weakref.WeakSet()


class _Forking(local):
    """The files that this thread closed for the fork it is about to make."""

    files: Sequence[SQLiteFile] = ()


_FORKING = _Forking()


def _before_fork() -> None:
    _FORKING.files = sorted(_OPEN, key=id)  # in one order, so that two threads that fork don't wait for each other
    for file in _FORKING.files:
        file.before_fork()


def _after_fork() -> None:
    for file in _FORKING.files:
        file.after_fork()
    _FORKING.files = ()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
