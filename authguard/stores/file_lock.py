"""File lock: an advisory lock that the processes of one machine take in turn, and never wait for past a deadline."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from threading import Event
from time import monotonic_ns

from authguard.errors import StoreTimeout

PAUSE = 0.000_1
"""Seconds between two tries: about as long as a holder keeps the lock."""
EAGER, GREEDY, PATIENT = 500_000, 1_500_000, 5_000_000
"""Nanoseconds of waiting from which on the pause is short, there is none, and it is a long one again: whoever finds the
lock free gets it, so they that have waited longest ask most often, and nobody starves. Who waits longer than that waits
for a holder that was stopped, and leaves the processor alone."""
_NEVER = Event()


class FileLock:
    """An ``flock`` on a file of its own, which the kernel drops when its holder dies.

    It is asked for again and again instead of waited for: a blocking ``flock`` can't be given a deadline, and would
    hang behind a holder that was stopped by a signal.
    """

    def __init__(self, path: Path) -> None:
        """Open the file at ``path``, made readable by its owner alone where it is missing; raises ``OSError``."""
        self._path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def acquire(self, until: int) -> None:
        """Take the lock by the instant ``until`` of the monotonic clock, in nanoseconds, or raise ``StoreTimeout``."""
        begin = 0
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                now = monotonic_ns()
                begin = begin or now
                if now >= until:
                    raise StoreTimeout(f"{self._path} was not free within the deadline") from None
                _pause(now - begin)
            else:
                return

    def release(self) -> None:
        """Let the next one have it."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Release the lock, if it is held, and forget the file."""
        os.close(self._descriptor)


def _pause(waited: int) -> None:
    if GREEDY <= waited < PATIENT:
        os.sched_yield()
    else:
        _NEVER.wait(PAUSE / 10 if EAGER <= waited < GREEDY else PAUSE)
