"""Turn: a lock that nobody queues for, so that threads which do nothing but take it never end up in a convoy.

Python lets another thread go on every 5 ms. If it stops one that holds a lock, all the others line up for it, and
an ordinary lock is from then on handed to threads that still have to wait for the interpreter: every call becomes
a change of threads, and the line never ends. Here whoever finds the turn taken naps and tries again. So the turn is
only ever held by a thread that runs, or that was stopped while it ran, and one nap later all goes on as before.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock

NAP = 1e-4
"""Seconds: long enough for the thread that has the turn to get the interpreter."""

_NEVER = Event()


class Turn:
    """Is had by one thread at a time. ``take`` it, or ``with`` it; what takes it must ``leave`` it."""

    __slots__ = ("leave", "try_to_take")

    def __init__(self) -> None:
        lock = Lock()
        self.try_to_take: Callable[[bool], bool] = lock.acquire
        """Called with ``False``, takes the turn if nobody has it, and returns whether it did."""
        self.leave = lock.release

    def take(self) -> None:
        """Take the turn, as soon as nobody has it."""
        while not self.try_to_take(False):
            _NEVER.wait(NAP)

    def __enter__(self) -> None:
        self.take()

    def __exit__(self, *_: object) -> None:
        self.leave()
