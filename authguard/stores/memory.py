"""The memory store: counters of one process, shared by its threads. For tests, replays and single-process servers."""

from __future__ import annotations

import heapq
import os
import weakref
from collections.abc import Sequence
from threading import Lock

from authguard.clock import Clock, SystemClock
from authguard.errors import StoreFull
from authguard.limits import Counter, Decision, Outcome, Plan, Receipt, engine
from authguard.limits.decision import Reply

SWEPT_PER_CALL = 4
"""Expired entries looked for in every call, besides one for each entry that the call may add: the sweep keeps up
with any traffic and never pauses it."""


class MemoryStore:
    """Keeps at most ``max_keys`` counters and as many nonces; at the cap only expired ones make room (law 15)."""

    def __init__(self, clock: Clock | None = None, max_keys: int = 1_000_000) -> None:
        self._clock = clock or SystemClock()
        self._max_keys = max_keys
        self._lock = Lock()
        self._states: dict[bytes, tuple[bytes, int]] = {}
        self._nonces: dict[bytes, tuple[Reply, int, bool]] = {}
        self._expiries: list[tuple[int, bytes]] = []
        if hasattr(os, "register_at_fork"):
            itself = weakref.ref(self)
            os.register_at_fork(after_in_child=lambda: _unlock(itself()))

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`. Raises ``StoreFull`` at the cap."""
        with self._lock:
            now = self._clock.now()
            seen = self._nonces.get(plan.nonce)
            if seen is not None and seen[1] > now:
                return Decision(plan, seen[0])
            reply, changes = engine.decide(plan, self._gather(plan, now), now)
            if changes:
                self._make_room(plan.counters, now)
                self._apply(plan, changes, now)
                self._remember(plan.nonce, reply, now + plan.remembered)
        return Decision(plan, reply)

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`."""
        plan = receipt.plan
        with self._lock:
            now = self._clock.now()
            seen = self._nonces.get(plan.nonce)
            if seen is None or seen[1] <= now or seen[2]:
                return False
            self._nonces[plan.nonce] = (seen[0], seen[1], True)
            self._apply(plan, engine.settle(receipt, outcome, self._gather(plan, now), now), now)
        return True

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        with self._lock:
            now = self._clock.now()
            reply, _ = engine.decide(plan, self._gather(plan, now), now)
        return Decision(plan, reply)

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        with self._lock:
            now = self._clock.now()
            return sum(self._drop(key, now) for key in keys)

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._clock.now()

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            self._states.clear()
            self._nonces.clear()
            self._expiries.clear()

    def __len__(self) -> int:
        """Return how many counters are held, expired ones not yet swept included."""
        return len(self._states)

    def _gather(self, plan: Plan, now: int) -> list[bytes]:
        return [
            engine.gather(counter, [self._state(key, now) for key in (counter.key, *counter.previous)], now)
            if counter.previous
            else self._state(counter.key, now)
            for counter in plan.counters
        ]

    def _state(self, key: bytes, now: int) -> bytes:
        state, expires = self._states.get(key, (b"", 0))
        return state if expires > now else b""

    def _apply(self, plan: Plan, changes: list[engine.Change], now: int) -> None:
        for index, state, lifetime in changes:
            counter = plan.counters[index]
            if counter.key not in self._states:
                heapq.heappush(self._expiries, (now + lifetime, counter.key))
            self._states[counter.key] = (state, now + lifetime)
            for key in counter.previous:
                self._drop(key, now)

    def _drop(self, key: bytes, now: int) -> bool:
        """Empty a counter but leave its place, so that every key stands in the heap exactly once."""
        state = self._state(key, now)
        if state:
            self._states[key] = (b"", now)
        return bool(state)

    def _remember(self, nonce: bytes, reply: Reply, expires: int) -> None:
        self._nonces[nonce] = (reply, expires, False)
        heapq.heappush(self._expiries, (expires, nonce))

    def _make_room(self, counters: tuple[Counter, ...], now: int) -> None:
        self._sweep(now, SWEPT_PER_CALL + len(counters))
        if self._crowded(counters):
            self._sweep(now, len(self._expiries))
            if self._crowded(counters):
                raise StoreFull("the memory store holds only living counters and has no room for more")

    def _crowded(self, counters: tuple[Counter, ...]) -> bool:
        if len(self._nonces) >= self._max_keys:
            return True
        if len(self._states) + len(counters) <= self._max_keys:
            return False
        fresh = sum(counter.key not in self._states for counter in counters)
        return len(self._states) + fresh > self._max_keys

    def _sweep(self, now: int, most: int) -> None:
        for _ in range(most):
            if not self._expiries or self._expiries[0][0] > now:
                return
            _, key = self._expiries[0]
            held = self._states.get(key) or self._nonces.get(key)
            if held is not None and held[1] > now:
                heapq.heapreplace(self._expiries, (held[1], key))
                continue
            heapq.heappop(self._expiries)
            self._states.pop(key, None)
            self._nonces.pop(key, None)


def _unlock(store: MemoryStore | None) -> None:
    """Give a forked child a lock of its own: the parent's may have been held by a thread the child lacks."""
    if store is not None:
        store._lock = Lock()
