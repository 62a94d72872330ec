"""The memory store: counters of one process, shared by its threads. For tests, replays and single-process servers."""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence

from authguard.clock import Clock, SystemClock
from authguard.limits import Decision, Outcome, Plan, Receipt, engine, record
from authguard.limits.decision import Reply, new
from authguard.limits.record import Phase, Record
from authguard.stores.memory_look import look
from authguard.stores.memory_shelf import ARITHMETIC, Shelf
from authguard.stores.turn import Turn


class MemoryStore:
    """Keeps at most ``max_keys`` counters and as many nonces; at the cap only expired ones make room (law 15)."""

    def __init__(self, clock: Clock | None = None, max_keys: int = 1_000_000) -> None:
        self._clock = clock or SystemClock()
        self._now = self._clock.now
        self._turn = Turn()
        self._shelf = Shelf(max_keys)
        self._find_log, self._find_state = self._shelf.logs.get, self._shelf.states.get
        self._writes = 0
        """Goes up at the end of every turn that may write: whoever looked before it without a turn looks again."""
        _ALIVE.add(self)

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`. Raises ``StoreFull`` at the cap.

        What most plans ask for is looked up before the turn is taken, so that it is held as shortly as can be.
        """
        shelf, turn, writes, now = self._shelf, self._turn, self._writes, self._now()
        looked = look(plan.counters, self._find_log, self._find_state, now)
        if not turn.try_to_take(False):
            turn.take()
        try:
            if writes != self._writes:
                now = self._now()
                looked = look(plan.counters, self._find_log, self._find_state, now)
            if looked is None or plan.nonce in shelf.nonces:
                reply = self._decide(plan, now)
            else:
                reply = shelf.charge(plan, looked, now)
        finally:
            self._writes += 1
            turn.leave()
        return new(Decision, (plan, reply))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`."""
        plan, shelf = receipt.plan, self._shelf
        with self._turn:
            now = self._now()
            seen, until = shelf.recall(plan.nonce, now)
            if seen is None:
                return False
            states = shelf.gather(plan, now)
            settled = record.settle(seen, receipt, outcome, states, now)
            if settled is None:
                return False
            shelf.remember(plan.nonce, settled.record, max(until, now + settled.lifetime))
            shelf.apply(plan, states, settled.changes, now)
            self._writes += 1
        return True

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        with self._turn:
            now = self._now()
            reply, _ = engine.decide(plan, self._shelf.gather(plan, now), now, ARITHMETIC)
        return Decision(plan, reply)

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        with self._turn:
            now = self._now()
            gone = sum(self._shelf.lives(key, now) and self._shelf.drop(key) for key in keys)
            self._writes += 1
        return gone

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._now()

    def close(self) -> None:
        """Forget everything."""
        with self._turn:
            self._shelf.clear()
            self._writes += 1

    def __len__(self) -> int:
        """Return how many counters are held, expired ones not yet swept included."""
        return len(self._shelf)

    def _decide(self, plan: Plan, now: int) -> Reply:
        """Decide any plan."""
        shelf = self._shelf
        seen, _ = shelf.recall(plan.nonce, now)
        if seen is not None and seen.phase is not Phase.RELEASED:
            return seen.reply
        states = shelf.gather(plan, now)
        reply, changes = engine.decide(plan, states, now, ARITHMETIC)
        if reply.admitted:
            shelf.make_room(plan.counters, now)
            shelf.apply(plan, states, changes, now)
            shelf.remember(plan.nonce, Record(reply), now + plan.remembered)
        return reply


_ALIVE: weakref.WeakSet[MemoryStore] = weakref.WeakSet()


def _free_all() -> None:
    """Give a forked child's stores turns of their own: a thread that the child lacks may have had the parent's."""
    for store in _ALIVE:
        store._turn = Turn()


os.register_at_fork(after_in_child=_free_all)
