"""Slots: how much slow work may run at once in a process, and who waits for it."""

from __future__ import annotations

import os
from bisect import insort
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Event, Lock
from weakref import WeakSet

from authguard.errors import ConfigurationError, Overloaded

LONGEST_WAIT = 5.0
"""Seconds that anybody may wait, at most."""
_MOST_WAITERS_PER_CLIENT = 4
_MEMORY = 512 * 1024**2


class Lane(StrEnum):
    """Which part of the slots a request may use."""

    STRANGERS = "strangers"
    KNOWN = "known"
    """A device that the account knows: it may also use the quarter that is kept from strangers."""


@dataclass(eq=False, slots=True)
class _Ticket:
    client: str | None
    lane: Lane
    turn: int = 0
    granted: Event = field(default_factory=Event)


class Slots:
    """Slots of one process, first come first served among clients.

    No client holds more than a quarter of them, a quarter of slots and of waiting places is kept for
    :attr:`Lane.KNOWN`, and whoever can't be served in time leaves with ``Overloaded``. A waiter whose client is at
    its share is passed over, so that it delays nobody else. After a fork the child starts with all slots free.

    Of fewer than four slots there is no quarter: a client holds one, which may be all of them, and none is kept for
    known devices. But they go around: a request whose client has others here stands as if it had come later, by a
    whole queue for each of them.
    """

    def __init__(self, count: int, *, waiters: int = 4, wait: float = LONGEST_WAIT, code: str = "hash_slots") -> None:
        """Take ``count`` slots, room for ``waiters`` and the seconds each ``wait``s at most.

        ``waiters`` should be at most a quarter of the process's threads: the rest must stay free to answer.
        Raises ``ConfigurationError`` for less than one slot, a negative number, or a wait over 5 seconds.
        """
        if count < 1 or waiters < 0 or not 0 <= wait <= LONGEST_WAIT:
            raise ConfigurationError(
                "slots must be at least 1, waiters at least 0 and the wait within 0 to 5 seconds; change the one that "
                f"isn't (slots={count}, waiters={waiters}, wait={wait})."
            )
        self.count = count
        self.share = max(1, count // 4)
        self._waiters = waiters
        self._wait = wait
        self._code = code
        self._reset()
        _EVERY.add(self)

    @contextmanager
    def hold(self, client: str | None = None, lane: Lane = Lane.STRANGERS) -> Iterator[None]:
        """Hold a slot while the block runs.

        ``client`` is the counting key of the client's address; ``None`` is the application's own work, which has no
        share. Raises ``Overloaded`` when there is no place to wait, or the wait was in vain.
        """
        ticket = _Ticket(client, lane)
        self._enter(ticket)
        try:
            yield
        finally:
            self._leave(ticket)

    def _reset(self) -> None:
        self._lock = Lock()
        self._held: set[_Ticket] = set()
        self._queue: deque[_Ticket] = deque()
        self._came = 0

    def _enter(self, ticket: _Ticket) -> None:
        with self._lock:
            if self._has_slot(ticket):
                self._held.add(ticket)
                return
            if not self._has_place(ticket):
                raise Overloaded(self._code)
            self._join_queue(ticket)
        try:
            ticket.granted.wait(self._wait)
        except BaseException:
            self._leave(ticket)
            raise
        with self._lock:
            if ticket in self._held:
                return
            self._queue.remove(ticket)
        raise Overloaded(self._code)

    def _join_queue(self, ticket: _Ticket) -> None:
        """Put ``ticket`` where it would stand had it come a whole queue later for each one of its client before it."""
        mine = sum(other.client == ticket.client for other in (*self._held, *self._queue))
        self._came += 1
        ticket.turn = self._came + (mine * self._waiters if ticket.client is not None else 0)
        insort(self._queue, ticket, key=lambda each: each.turn)

    def _leave(self, ticket: _Ticket) -> None:
        """Give back what ``ticket`` has: a slot, a place in the queue, or nothing (after a fork)."""
        with self._lock:
            if ticket in self._queue:
                self._queue.remove(ticket)
            self._held.discard(ticket)
            for waiter in [*self._queue]:
                if self._has_slot(waiter):
                    self._queue.remove(waiter)
                    self._held.add(waiter)
                    waiter.granted.set()

    def _has_slot(self, ticket: _Ticket) -> bool:
        if not _has_room(self._held, self.count, ticket.lane):
            return False
        return ticket.client is None or sum(held.client == ticket.client for held in self._held) < self.share

    def _has_place(self, ticket: _Ticket) -> bool:
        if not _has_room(self._queue, self._waiters, ticket.lane):
            return False
        mine = sum(waiter.client == ticket.client for waiter in self._queue)
        return ticket.client is None or mine < min(_MOST_WAITERS_PER_CLIENT, max(1, self._waiters // 2))


def _has_room(taken: set[_Ticket] | deque[_Ticket], size: int, lane: Lane) -> bool:
    """Return whether one more fits, strangers having no use of a quarter of the whole."""
    if len(taken) >= size:
        return False
    strangers = sum(ticket.lane is Lane.STRANGERS for ticket in taken)
    return lane is Lane.KNOWN or strangers < size - size // 4


def count_hash_slots(memory: int) -> int:
    """Return how many hashes of ``memory`` bytes may run at once: two a core (at least four), within 512 MiB.

    More than two a core only makes each slower; with two, one client's quarter leaves half of the cores to others.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(max(4, 2 * cores), _MEMORY // max(1, memory)))


_EVERY: WeakSet[Slots] = WeakSet()


def _reset_after_fork() -> None:
    for slots in _EVERY:
        slots._reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_after_fork)
