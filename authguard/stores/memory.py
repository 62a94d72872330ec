"""The memory store: counters of one process, shared by its threads. For tests, replays and single-process servers."""

from __future__ import annotations

import heapq
import os
import weakref
from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from authguard.clock import Clock, SystemClock
from authguard.errors import StoreFull
from authguard.limits import Counter, Decision, Outcome, Plan, Receipt, engine, record
from authguard.limits.record import Phase, Record

SWEPT_PER_CALL = 4
"""Expired entries looked for in every call, besides one for each entry that the call may add: the sweep keeps up
with any traffic and never pauses it."""
LEFT_BEHIND = 64
"""Places in the queue of counters that are gone, above as many as there are living ones, from which on it is tidied."""


class _Held(NamedTuple):
    """A state, when it expires, and for when the sweep is told to look at it (that, or earlier)."""

    state: bytes
    expires: int
    due: int


_NOTHING = _Held(b"", 0, 0)


class MemoryStore:
    """Keeps at most ``max_keys`` counters and as many nonces; at the cap only expired ones make room (law 15)."""

    def __init__(self, clock: Clock | None = None, max_keys: int = 1_000_000) -> None:
        self._clock = clock or SystemClock()
        self._max_keys = max_keys
        self._lock = Lock()
        self._states: dict[bytes, _Held] = {}
        self._nonces: dict[bytes, tuple[Record, int]] = {}
        self._expiries: list[tuple[int, bytes]] = []
        _ALIVE.add(self)

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`. Raises ``StoreFull`` at the cap."""
        with self._lock:
            now = self._clock.now()
            seen = self._nonces.get(plan.nonce)
            if seen is not None and seen[1] > now and seen[0].phase is not Phase.RELEASED:
                return Decision(plan, seen[0].reply)
            reply, changes = engine.decide(plan, self._gather(plan, now), now)
            if reply.admitted:
                self._make_room(plan.counters, now)
                self._apply(plan, changes, now)
                self._remember(plan.nonce, Record(reply), now + plan.remembered)
        return Decision(plan, reply)

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`."""
        plan = receipt.plan
        with self._lock:
            now = self._clock.now()
            seen = self._nonces.get(plan.nonce)
            if seen is None or seen[1] <= now:
                return False
            settled = record.settle(seen[0], receipt, outcome, self._gather(plan, now), now)
            if settled is None:
                return False
            self._remember(plan.nonce, settled.record, max(seen[1], now + settled.lifetime))
            self._apply(plan, settled.changes, now)
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
            return sum(1 for key in keys if self._state(key, now) and self._states.pop(key))

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
        gathered, find = [], self._states.get
        for counter in plan.counters:
            held = find(counter.key)
            state = held.state if held is not None and held.expires > now else b""
            if counter.previous:
                older = [self._state(key, now) for key in counter.previous]
                state = engine.gather(counter, [state, *older], now)
            gathered.append(state)
        return gathered

    def _state(self, key: bytes, now: int) -> bytes:
        held = self._states.get(key)
        return held.state if held is not None and held.expires > now else b""

    def _apply(self, plan: Plan, changes: list[engine.Change], now: int) -> None:
        states, counters = self._states, plan.counters
        for index, state, lifetime in changes:
            counter = counters[index]
            key = counter.key
            if not state:
                states.pop(key, None)
            elif key in states:
                states[key] = _Held(state, now + lifetime, states[key].due)
            else:
                states[key] = _Held(state, now + lifetime, now + lifetime)
                heapq.heappush(self._expiries, (now + lifetime, key))
            for older in counter.previous:
                states.pop(older, None)

    def _remember(self, nonce: bytes, kept: Record, expires: int) -> None:
        seen = self._nonces.get(nonce)
        self._nonces[nonce] = (kept, expires)
        if seen is None or seen[1] != expires:
            heapq.heappush(self._expiries, (expires, nonce))

    def _make_room(self, counters: tuple[Counter, ...], now: int) -> None:
        if len(self._expiries) > 2 * (len(self._states) + len(self._nonces)) + LEFT_BEHIND:
            self._tidy()
        if self._expiries and self._expiries[0][0] <= now:
            self._sweep(now, SWEPT_PER_CALL + len(counters))
        while self._crowded(counters):
            if not self._sweep(now, SWEPT_PER_CALL):
                raise StoreFull("the memory store holds only living counters and has no room for more")

    def _tidy(self) -> None:
        """Drop the places in the queue that emptied counters left behind; some of them would stay for a year."""
        self._expiries = [(held.due, key) for key, held in self._states.items()]
        self._expiries += [(expires, nonce) for nonce, (_, expires) in self._nonces.items()]
        heapq.heapify(self._expiries)

    def _crowded(self, counters: tuple[Counter, ...]) -> bool:
        if len(self._nonces) >= self._max_keys:
            return True
        if len(self._states) + len(counters) <= self._max_keys:
            return False
        fresh = sum(counter.key not in self._states for counter in counters)
        return len(self._states) + fresh > self._max_keys

    def _sweep(self, now: int, most: int) -> bool:
        """Look at ``most`` entries that are due, or fewer; return whether there was one."""
        for looked in range(most):
            if not self._expiries or self._expiries[0][0] > now:
                return looked > 0
            due, key = self._expiries[0]
            state, expires, told = self._states.get(key, _NOTHING)
            if told == due and expires > now:
                self._states[key] = _Held(state, expires, expires)
                heapq.heapreplace(self._expiries, (expires, key))
                continue
            heapq.heappop(self._expiries)
            if told == due:
                del self._states[key]
            nonce = self._nonces.get(key)
            if nonce is not None and nonce[1] <= now:
                del self._nonces[key]
        return True


_ALIVE: weakref.WeakSet[MemoryStore] = weakref.WeakSet()


def _unlock_all() -> None:
    """Give a forked child's stores locks of their own: a thread that the child lacks may have held the parent's."""
    for store in _ALIVE:
        store._lock = Lock()


os.register_at_fork(after_in_child=_unlock_all)
