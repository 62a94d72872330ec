"""File lock: an advisory lock that the processes of one machine take in turn, and never wait for past a deadline."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from threading import Event
from time import monotonic_ns

from authguard.errors import StoreTimeout

PAUSE = 0.000_05
"""Seconds between two tries: about as long as a holder keeps the lock, so that whoever asks finds it free by chance
and nobody starves."""
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
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if monotonic_ns() >= until:
                    raise StoreTimeout(f"{self._path} was not free within the deadline") from None
                _NEVER.wait(PAUSE)
            else:
                return

    def release(self) -> None:
        """Let the next one have it."""
        fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Release the lock, if it is held, and forget the file."""
        os.close(self._descriptor)
