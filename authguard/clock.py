"""Clocks: where in-process code gets its time from, in integer microseconds since the Unix epoch."""

from __future__ import annotations

from threading import Lock
from time import time_ns
from typing import Protocol

SECOND = 1_000_000
"""Microseconds in a second."""


class Clock(Protocol):
    """A source of wall-clock time."""

    def now(self) -> int:
        """Return microseconds since the Unix epoch."""
        ...


class SystemClock:
    """The machine's wall clock."""

    __slots__ = ()

    def now(self) -> int:
        """Return microseconds since the Unix epoch."""
        return time_ns() // 1000


class ManualClock:
    """A clock that stands still until it is told to move: for tests, and for replaying logs."""

    __slots__ = ("_lock", "_now")

    def __init__(self, now: int = 1_700_000_000 * SECOND) -> None:
        self._now = now
        self._lock = Lock()

    def now(self) -> int:
        """Return the time last set, in microseconds since the Unix epoch."""
        return self._now

    def advance(self, microseconds: int) -> None:
        """Move by ``microseconds``; a negative number steps backwards."""
        with self._lock:
            self._now += microseconds

    def set(self, now: int) -> None:
        """Jump to ``now``, in microseconds since the Unix epoch."""
        self._now = now
