"""The waiting room: a valid login waits for others' pending attempts instead of being refused because of them."""

from __future__ import annotations

import os
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

LONGEST_WAIT = 5.0
"""Seconds that anything may wait (law 9)."""
POLL = 0.05
"""Seconds between two looks at a store that other processes settle in."""


class WaitingRoom:
    """Bounded places to wait in: a quarter of the process's ``threads``, and at most ``an_address`` for each client."""

    def __init__(self, threads: int = 4, an_address: int = 4) -> None:
        self._places = threads // 4
        self._an_address = an_address
        self._settled = Condition()
        self._waiting: Counter[str] = Counter()
        if hasattr(os, "register_at_fork"):
            itself = weakref.ref(self)
            os.register_at_fork(after_in_child=lambda: _reset(itself()))

    @contextmanager
    def enter(self, client: str) -> Iterator[bool]:
        """Take a place for the time of the block; yields whether there was one."""
        with self._settled:
            free = self._waiting.total() < self._places and self._waiting[client] < self._an_address
            if free:
                self._waiting[client] += 1
        try:
            yield free
        finally:
            if free:
                with self._settled:
                    self._waiting[client] -= 1
                    self._waiting += Counter()  # drops the clients that wait no longer

    def pause(self) -> None:
        """Wait until an attempt of this process settles, or until it is time to look what others settled."""
        with self._settled:
            self._settled.wait(POLL)

    def announce(self) -> None:
        """Wake those who wait: an attempt has settled."""
        with self._settled:
            self._settled.notify_all()


def _reset(room: WaitingRoom | None) -> None:
    """Empty a forked child's room: nobody who waits in the parent waits here."""
    if room is not None:
        room._settled = Condition()
        room._waiting = Counter()
