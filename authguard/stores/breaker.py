"""Breaker: remembers that a store is down, so that only one call in a while has to find out."""

from __future__ import annotations

import os
import time
import weakref
from collections.abc import Callable
from threading import Lock

FAULTS = 3
"""Faults in a row after which a store is left alone: one stall is no outage."""
REST = 1.0
"""Seconds for which a store that failed is left alone before one call tries it again."""


class Pass:
    """Leave to call the store; handed back with what came of it. A pass of an earlier state changes nothing."""

    __slots__ = ()


class Breaker:
    """Closed, it lets every call pass. After ``faults`` in a row it opens, and nobody calls for ``rest`` seconds.

    Then it lets one call pass, the probe, while all others are still turned away: its success closes the breaker, its
    fault opens it for another rest. ``clock`` reads seconds that only ever grow. A forked child takes over whether the
    store is down, but not the parent's probe.
    """

    def __init__(self, faults: int = FAULTS, rest: float = REST, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = faults
        self._rest = rest
        self._clock = clock
        self._lock = Lock()
        self._faults = 0
        self._closed: Pass | None = Pass()
        self._probe: Pass | None = None
        self._until = 0.0
        _ALIVE.add(self)

    @property
    def closed(self) -> bool:
        """True while the store is asked as usual."""
        return self._closed is not None

    @property
    def rest(self) -> float:
        """Seconds for which the store is left alone after a fault."""
        return self._rest

    def enter(self) -> Pass | None:
        """Return leave to call the store, or ``None``: it is down, and somebody else looks after it."""
        leave = self._closed  # read without the lock: in good times a breaker costs nothing
        if leave is None:
            with self._lock:
                leave = self._closed
                if leave is None and self._probe is None and self._clock() >= self._until:
                    leave = self._probe = Pass()
        return leave

    def succeed(self, leave: Pass) -> bool:
        """Say that the store answered; ``True`` when it had been down until now."""
        if leave is self._closed and not self._faults:
            return False
        with self._lock:
            if leave is self._closed:
                self._faults = 0
            if leave is not self._probe:
                return False
            self._faults, self._closed, self._probe = 0, Pass(), None
        return True

    def fail(self, leave: Pass) -> bool:
        """Say that the store failed; ``True`` when from now on it counts as down."""
        with self._lock:
            if leave is self._probe:
                self._probe, self._until = None, self._clock() + self._rest
            if leave is not self._closed:
                return False
            self._faults += 1
            if self._faults < self._most:
                return False
            self._closed, self._until = None, self._clock() + self._rest
        return True

    def abandon(self, leave: Pass) -> None:
        """Say that the call ended without telling anything about the store; another may probe at once."""
        with self._lock:
            if leave is self._probe:
                self._probe = None

    def _forked(self) -> None:
        self._lock = Lock()
        self._probe = None


_ALIVE: weakref.WeakSet[Breaker] = weakref.WeakSet()


def _start_anew() -> None:
    """Give a forked child's breakers locks of their own, and nobody's probe to wait for."""
    for breaker in _ALIVE:
        breaker._forked()


os.register_at_fork(after_in_child=_start_anew)
