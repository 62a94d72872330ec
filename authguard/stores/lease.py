"""Lease: units of a big, loose limit that a process has been charged for and serves from memory."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from authguard.limits import Counter, Counts, Limit, Mode
from authguard.limits.limit import LEASABLE

RESTS = 10
"""After a refusal or a fault no block is asked for during a tenth of the limit's period."""
MOST = 10_000
"""Leases that a process holds at most; counters beyond that are charged one by one."""
LOOKED_AT = 4
"""Leases that are looked at to make room for another."""


@dataclass(slots=True)
class Lease:
    """``units`` of a counter that are charged and not yet used, good until ``ends``, by the monotonic clock.

    ``behind`` is what the store had left beyond them when it gave them, at ``stamp``, its own time; ``now`` was that
    time and ``taken`` the monotonic one. Until ``rests`` no other block is asked for.
    """

    limit: Limit
    units: int
    ends: int
    behind: int = 0
    stamp: int = 0
    now: int = 0
    taken: int = 0
    rests: int = 0


def can_lease(counter: Counter) -> bool:
    """Return whether ``counter`` may be served from a lease: attempts, counted by number alone, and enforced."""
    return (
        0 < counter.cost <= counter.lease <= counter.limit.capacity
        and counter.counts is Counts.ATTEMPTS
        and counter.limit.algorithm in LEASABLE
        and counter.mode is not Mode.SHADOW
        and counter.charges
    )


class Leases:
    """The leases of one process, shared by its threads; a forked child starts with none.

    For each counter one thread at a time asks for a block, and what is left of the old one is added to it, up to a
    block in all. So a process never holds more than one block of a counter. A lease lives for its limit's period: then
    a process that serves few requests wastes one block in each period at most.
    """

    def __init__(self, clock: Callable[[], int] = lambda: time.monotonic_ns() // 1000, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._clear()
        _ALIVE.add(self)

    def time(self) -> int:
        """Return the monotonic time, in microseconds, by which leases end."""
        return self._clock()

    def take(self, counter: Counter) -> Lease | None:
        """Return the lease that now has served the counter's cost; ``None`` where there is none that could."""
        with self._lock:
            lease = self._find(counter)
            if lease is None or lease.units < counter.cost:
                return None
            lease.units -= counter.cost
            return lease

    def look(self, counter: Counter) -> Lease | None:
        """Return the lease that would serve the counter's cost; takes nothing."""
        with self._lock:
            lease = self._find(counter)
            return lease if lease is not None and lease.units >= counter.cost else None

    def give(self, counter: Counter) -> None:
        """Give back what :meth:`take` took; lost where there is no lease any more, or a whole block is held again."""
        with self._lock:
            lease = self._find(counter)
            if lease is not None:
                lease.units = min(counter.lease, lease.units + counter.cost)

    def ask(self, counter: Counter) -> bool:
        """Return whether the caller is to ask for a block; :meth:`put`, :meth:`rest` or :meth:`leave` must follow."""
        with self._lock:
            if counter.key in self._asking:
                return False
            lease = self._find(counter)
            if lease is None:
                self._held.pop(counter.key, None)
                if len(self._held) >= self._most and not self._make_room():
                    return False
            elif lease.rests > self._clock():
                return False
            self._asking.add(counter.key)
            return True

    def put(self, counter: Counter, lease: Lease) -> None:
        """Keep a block that was just charged; where a fork or :meth:`forget` came between, it is lost."""
        with self._lock:
            if counter.key in self._asking:
                self._asking.discard(counter.key)
                old = self._find(counter)
                if old is not None:
                    lease.units = min(counter.lease, lease.units + old.units)
                self._held[counter.key] = lease

    def rest(self, counter: Counter) -> None:
        """Ask for no block for a while: the counter has no room for one, or it is not known what became of it."""
        with self._lock:
            if counter.key in self._asking:
                self._asking.discard(counter.key)
                until = self._clock() + counter.limit.period // RESTS
                lease = self._find(counter)
                if lease is None:
                    lease = self._held[counter.key] = Lease(counter.limit, 0, until)
                lease.rests = until

    def leave(self, counter: Counter) -> None:
        """Let others ask: nothing came of it."""
        with self._lock:
            self._asking.discard(counter.key)

    def forget(self, key: bytes) -> None:
        """Drop the lease of the counter under ``key``."""
        with self._lock:
            self._held.pop(key, None)
            self._asking.discard(key)

    def __len__(self) -> int:
        """Return how many leases are held, ended ones included."""
        return len(self._held)

    def _find(self, counter: Counter) -> Lease | None:
        lease = self._held.get(counter.key)
        if lease is None or lease.limit != counter.limit or lease.ends <= self._clock():
            return None
        return lease

    def _make_room(self) -> bool:
        """Drop a lease that has ended, if one is found; those looked at in vain come to the end of the line."""
        for _ in range(min(LOOKED_AT, len(self._held))):
            key = next(iter(self._held))
            lease = self._held.pop(key)
            if lease.ends <= self._clock():
                return True
            self._held[key] = lease
        return False

    def _clear(self) -> None:
        self._lock = Lock()
        self._held: dict[bytes, Lease] = {}
        self._asking: set[bytes] = set()


_ALIVE: weakref.WeakSet[Leases] = weakref.WeakSet()


def _clear_all() -> None:
    """Leave a forked child without leases: the parent serves them."""
    for leases in _ALIVE:
        leases._clear()


os.register_at_fork(after_in_child=_clear_all)
