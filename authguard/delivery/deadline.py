"""Deadline: ends a conversation that takes too long, however little the other side says at a time."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Lock, Timer
from types import TracebackType
from typing import Self


class Deadline:
    """So many seconds for everything within the block; then the sockets under watch are shut down, as if cut off.

    A time-out of the socket is one for each wait, which whoever says a byte at a time never meets.
    """

    def __init__(self, seconds: float) -> None:
        self._timer = Timer(seconds, self._cut)
        self._timer.daemon = True
        self._lock = Lock()
        self._watched: list[socket.socket] = []
        self._over = False

    def watch(self, connection: socket.socket) -> socket.socket:
        """Put ``connection`` under watch, also for when TLS has taken it over, and return it."""
        with self._lock:
            self._watched.append(connection.dup())
        if self._over:
            self._cut()
        return connection

    def _cut(self) -> None:
        self._over = True
        with self._lock:
            for each in self._watched:
                with suppress(OSError):  # it is closed already
                    each.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Self:
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._lock:
            for each in self._watched:
                each.close()
            self._watched.clear()
