"""Shelf: what a memory store holds, with its bound and its sweep. Knows neither clock nor threads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from authguard.errors import StoreFull
from authguard.limits import Algorithm, Counter, Plan, engine, times
from authguard.limits.decision import Reply, new
from authguard.limits.meters import PLAIN
from authguard.limits.record import Record
from authguard.limits.times import Times
from authguard.stores.expiries import SECOND, Expiries
from authguard.stores.memory_look import Looked, State

SWEPT_PER_CALL = 4
"""Expired entries looked for in every call, besides one for each entry that the call may add: the sweep keeps up
with any traffic and never pauses it."""
LEFT_BEHIND = 64
"""Places among the expiries of counters that are gone, above as many as there are living ones, from which on they are
tidied."""
LEEWAY = 1 << 21
"""Microseconds that are waited before an expiry is looked at while there is room, so that one look is enough."""

ARITHMETIC = {**PLAIN, Algorithm.SLIDING_LOG: times}
"""How attempts are counted here: as everywhere, but for logs, which are times."""

Kept = tuple[int, Record] | tuple[int, int, tuple[int, ...]]
"""What is kept of an admitted plan: when that expires, and its record. Of a plan that :meth:`Shelf.charge` admitted the
time and what was left in each counter say as much, in two objects a decision where a record would be six.
"""


class Shelf:
    """At most ``max_keys`` counters and as many nonces. Every time is in microseconds since the epoch.

    Sliding logs of attempts, which most counters are, are held as times. Of all others the state is held as bytes.
    """

    __slots__ = ("_left_behind", "_max_keys", "expiries", "logs", "nonces", "states")

    def __init__(self, max_keys: int) -> None:
        self._max_keys = max_keys
        self._left_behind = 0
        self.logs: dict[bytes, Times] = {}
        self.states: dict[bytes, State] = {}
        self.nonces: dict[bytes, Kept] = {}
        self.expiries = Expiries()

    def __len__(self) -> int:
        return len(self.logs) + len(self.states)

    def clear(self) -> None:
        """Let go of everything."""
        for held in (self.logs, self.states, self.nonces):
            held.clear()
        self._tidy()

    def gather(self, plan: Plan, now: int) -> list[Any]:
        """Return the state of each counter at ``now``, what stands under its previous keys included."""
        gathered: list[Any] = []
        for counter in plan.counters:
            find = self._log if counter.timed else self._state
            state = find(counter.key, now)
            if counter.previous:
                older = [find(key, now) for key in counter.previous]
                state = engine.gather(counter, [state, *older], now, ARITHMETIC)
            gathered.append(state)
        return gathered

    def apply(self, plan: Plan, states: Sequence[Any], changes: list[engine.Change], now: int) -> None:
        """Write what a plan changes of the ``states`` that were gathered for it."""
        for position, change, lifetime in changes:
            counter = plan.counters[position]
            key = counter.key
            if not change:
                self.drop(key)
            elif counter.timed:
                if key not in self.logs:
                    self.expiries.add(now + lifetime, key)
                self.logs[key] = times.charge(states[position], change)
            else:
                self._write(key, lifetime, change, now)
            for older in counter.previous:
                self.drop(older)

    def charge(self, plan: Plan, looked: Looked, now: int) -> Reply:
        """Admit a plan that was looked at; see :func:`~authguard.stores.memory_look.look`. Raises ``StoreFull``."""
        nonce = plan.nonce
        logs, changed, others, remaining = looked
        size, most = len(remaining), self._max_keys
        full = len(self.logs) + len(self.states) + size > most or len(self.nonces) >= most
        if full or self.expiries.earliest <= now - LEEWAY:
            self.make_room(plan.counters, now)
        for log in logs:
            log.append(now)
        if changed:
            self._put(changed, now)
        for key, lifetime, state in others:
            self._write(key, lifetime, state, now)
        until, left, nothing = now + plan.remembered, tuple(remaining), (0,) * size
        self.nonces[nonce] = until, now, left
        self.expiries.add(until, nonce)
        return new(Reply, (True, False, now, nothing, left, (now,) * size, nothing))

    def recall(self, nonce: bytes, now: int) -> tuple[Record | None, int]:
        """Return the record of the admitted plan with ``nonce``, if there still is one, and when it expires."""
        kept = self.nonces.get(nonce)
        if kept is None or kept[0] <= now:
            return None, 0
        if len(kept) == 2:
            return kept[1], kept[0]
        until, at, left = kept
        nothing = (0,) * len(left)
        return Record(Reply(True, False, at, nothing, left, (at,) * len(left), nothing)), until

    def remember(self, nonce: bytes, record: Record, until: int) -> None:
        """Write the record of the plan with ``nonce``."""
        if nonce not in self.nonces:
            self.expiries.add(until, nonce)
        self.nonces[nonce] = until, record

    def lives(self, key: bytes, now: int) -> bool:
        """Return whether something is counted under ``key``."""
        return bool(self._log(key, now) or self._state(key, now))

    def drop(self, key: bytes) -> bool:
        """Let go of the counter under ``key``; return whether there was one."""
        if self.logs.pop(key, None) is None and self.states.pop(key, None) is None:
            return False
        self._left_behind += 1
        if self._left_behind > LEFT_BEHIND + len(self) + len(self.nonces):
            self._tidy()
        return True

    def make_room(self, counters: Sequence[Counter], now: int) -> None:
        """Sweep a little, and for as long as there is no room for ``counters`` and a nonce; ``StoreFull`` without."""
        if self.expiries.earliest <= now - LEEWAY:
            self._sweep(now, SWEPT_PER_CALL + len(counters), now - LEEWAY)
        while self._is_crowded(counters):
            if not self._sweep(now, SWEPT_PER_CALL, now):
                raise StoreFull("the memory store holds only living counters and has no room for more")

    def _log(self, key: bytes, now: int) -> Times:
        log = self.logs.get(key)
        return log if log is not None and times.expiry(log) > now else []

    def _state(self, key: bytes, now: int) -> bytes:
        held = self.states.get(key)
        return held[1] if held is not None and held[0] > now else b""

    def _has(self, key: bytes) -> bool:
        return key in self.logs or key in self.states

    def _is_crowded(self, counters: Sequence[Counter]) -> bool:
        """Return whether there is no room for a nonce and those of ``counters`` that are new."""
        if len(self.nonces) >= self._max_keys:
            return True
        if len(self) + len(counters) <= self._max_keys:
            return False
        fresh = sum(not self._has(counter.key) for counter in counters)
        return len(self) + fresh > self._max_keys

    def _put(self, changed: Sequence[tuple[bytes, Times]], now: int) -> None:
        """Put logs that are new on the shelf, and drop from others what stands no longer."""
        for key, log in changed:
            if key in self.logs:
                times.prune(log)
            else:
                self.logs[key] = log
                self.expiries.add(now + log[0], key)

    def _write(self, key: bytes, lifetime: int, state: bytes, now: int) -> None:
        """Write the state of a counter."""
        if key not in self.states:
            self.expiries.add(now + lifetime, key)
        self.states[key] = now + lifetime, state

    def _sweep(self, now: int, most: int, until: int) -> bool:
        """Look at ``most`` keys that are due by ``until``, or fewer; return whether there was one."""
        due = self.expiries.take(most, until)
        for key in due:
            held, expires = self._look_up(key)
            if expires > now:
                self.expiries.add(max(expires, now + SECOND), key)
            elif held is not None:
                del held[key]
            else:
                self._left_behind -= 1
        return bool(due)

    def _look_up(self, key: bytes) -> tuple[dict[bytes, Any] | None, int]:
        """Return what holds ``key``, and when it expires there; ``None`` and 0 where nothing does."""
        kept = self.nonces.get(key)
        if kept is not None:
            return self.nonces, kept[0]
        log = self.logs.get(key)
        if log is not None:
            return self.logs, times.expiry(log)
        held = self.states.get(key)
        return (None, 0) if held is None else (self.states, held[0])

    def _tidy(self) -> None:
        """Drop the places among the expiries that counters left behind; some of them would stay for a year."""
        self.expiries = Expiries()
        self._left_behind = 0
        for held in (self.nonces, self.logs, self.states):
            for key in held:
                self.expiries.add(self._look_up(key)[1], key)
