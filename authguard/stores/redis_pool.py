"""Pool: the idle connections of one process to one place, and how new ones are made without outlasting a deadline."""

from __future__ import annotations

import os
import time
import weakref
from _thread import start_new_thread
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from threading import BoundedSemaphore

from authguard.errors import StoreTimeout
from authguard.stores.redis_connection import RedisConnection

IDLE = 64
"""Connections kept for later; as many as threads ask at once, up to this."""
CONNECTING = 8
"""Connections that may be under way to the server at one time."""
TRUSTED = 0.1
"""Seconds after its last use for which a connection is taken to be whole without looking."""

Opener = Callable[[], RedisConnection]


class ConnectionPool:
    """Lends each caller a connection of its own: the one used last, so that a thread keeps its own when it is alone.

    Names are resolved and connections made in a thread besides, since the resolver takes no time-out: the caller
    waits for it until the deadline, and what comes later serves the next. A forked child starts with none.
    """

    def __init__(self, opener: Opener) -> None:
        self._opener = opener
        self._closed = False
        self._reset()
        _ALIVE.add(self)

    def take(self, until: float) -> RedisConnection:
        """Return a connection that nobody else uses; raises ``StoreTimeout`` and ``StoreUnavailable``."""
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return self._open(until)
            if time.monotonic() - connection.used < TRUSTED or not connection.broken():
                return connection
            connection.close()

    def give(self, connection: RedisConnection) -> None:
        """Take a connection back of which the last answer has been read."""
        if len(self._idle) < IDLE and not self._closed:
            self._idle.append(connection)
        else:
            connection.close()

    def clear(self) -> None:
        """Close what is idle: the server went away, or it is the wrong one now."""
        while True:
            try:
                self._idle.pop().close()
            except IndexError:
                return

    def close(self) -> None:
        """Keep no connection from now on."""
        self._closed = True
        self.clear()

    def _reset(self) -> None:
        self._idle: deque[RedisConnection] = deque()
        self._slots = BoundedSemaphore(CONNECTING)

    def _open(self, until: float) -> RedisConnection:
        slots = self._slots
        if not slots.acquire(timeout=max(0.0, until - time.monotonic())):
            raise StoreTimeout("no connection to Redis could be made within the deadline")
        future: Future[RedisConnection] = Future()
        # Not Thread.start(), which waits, past any deadline, until the machine has found time for the new thread.
        start_new_thread(self._connect, (future, slots))
        try:
            return future.result(max(0.0, until - time.monotonic()))
        except TimeoutError:
            if future.cancel():
                raise StoreTimeout("no connection to Redis could be made within the deadline") from None
            return future.result()

    def _connect(self, future: Future[RedisConnection], slots: BoundedSemaphore) -> None:
        try:
            connection = self._opener()
        except Exception as error:  # noqa: BLE001 - it is raised again where the future's result is asked for
            if future.set_running_or_notify_cancel():
                future.set_exception(error)
        else:
            if future.set_running_or_notify_cancel():
                future.set_result(connection)
            else:
                self.give(connection)
        finally:
            slots.release()


_ALIVE: weakref.WeakSet[ConnectionPool] = weakref.WeakSet()


def _start_anew() -> None:
    """Close a forked child's copies of the parent's sockets, which go on living in the parent."""
    for pool in _ALIVE:
        pool.clear()
        pool._reset()


os.register_at_fork(after_in_child=_start_anew)
