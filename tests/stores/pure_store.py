"""Pure store: the engine over states as bytes, in a dictionary; the store that others are compared with.

It has no bound, no threads and nothing clever: whatever another store does faster must come to what is said here.
"""

from __future__ import annotations

from collections.abc import Sequence

from authguard.clock import Clock
from authguard.limits import Decision, Outcome, Plan, Receipt, engine, record
from authguard.limits.record import Phase, Record


class PureStore:
    """Holds each state, and each record of an admitted plan, with the time at which it expires."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._states: dict[bytes, tuple[bytes, int]] = {}
        self._records: dict[bytes, tuple[Record, int]] = {}

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        now = self.now()
        seen, expires = self._records.get(plan.nonce, (None, 0))
        if seen is not None and expires > now and seen.phase is not Phase.RELEASED:
            return Decision(plan, seen.reply)
        reply, changes = engine.decide(plan, self._gather(plan, now), now)
        if reply.admitted:
            self._records[plan.nonce] = Record(reply), now + plan.remembered
            self._apply(plan, changes, now)
        return Decision(plan, reply)

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`."""
        now, plan = self.now(), receipt.plan
        seen, expires = self._records.get(plan.nonce, (None, 0))
        if seen is None or expires <= now:
            return False
        settled = record.settle(seen, receipt, outcome, self._gather(plan, now), now)
        if settled is None:
            return False
        self._records[plan.nonce] = settled.record, max(expires, now + settled.lifetime)
        self._apply(plan, settled.changes, now)
        return True

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        now = self.now()
        return Decision(plan, engine.decide(plan, self._gather(plan, now), now)[0])

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        now = self.now()
        return sum(1 for key in keys if self._state(key, now) and self._states.pop(key))

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._clock.now()

    def close(self) -> None:
        """See :class:`~authguard.stores.base.Store`."""

    def sweep(self) -> None:
        """Drop what has expired, for good: a clock that steps back then does not bring it back."""
        now = self.now()
        self._states = {key: held for key, held in self._states.items() if held[1] > now}
        self._records = {nonce: held for nonce, held in self._records.items() if held[1] > now}

    def held(self, key: bytes) -> tuple[bytes | None, int]:
        """Return the state under ``key`` and when it expires."""
        return self._states.get(key, (None, 0))

    def _gather(self, plan: Plan, now: int) -> list[bytes]:
        return [
            engine.gather(each, [self._state(key, now) for key in (each.key, *each.previous)], now)
            for each in plan.counters
        ]

    def _state(self, key: bytes, now: int) -> bytes:
        state, expires = self._states.get(key, (b"", 0))
        return state if expires > now else b""

    def _apply(self, plan: Plan, changes: Sequence[engine.Change], now: int) -> None:
        for position, state, lifetime in changes:
            counter = plan.counters[position]
            for key in (counter.key, *counter.previous):
                self._states.pop(key, None)
            if state:
                self._states[counter.key] = state, now + lifetime
