"""Scripted: a store that fails when it is told to, with real counters behind it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from authguard.clock import ManualClock
from authguard.limits import Counter, Decision, Outcome, Plan, Receipt
from authguard.policy import FailMode
from authguard.stores.breaker import Breaker
from authguard.stores.fallback import Fallback
from authguard.stores.memory import MemoryStore
from authguard.stores.resilient import ResilientStore
from authguard.testing.plans import plan
from tests.guard.rig import Recorder

T = TypeVar("T")


class ScriptedStore(MemoryStore):
    """``fault`` is raised by every call while it is set; a call that is ``late`` does its work all the same."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.fault: BaseException | None = None
        self.late = False
        self.calls = 0

    def decide(self, plan: Plan) -> Decision:
        return self._run(lambda: super(ScriptedStore, self).decide(plan))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        return self._run(lambda: super(ScriptedStore, self).settle(receipt, outcome))

    def _run(self, action: Callable[[], T]) -> T:
        self.calls += 1
        if self.fault is None:
            return action()
        if self.late:
            action()
        raise self.fault


class Rig:
    """A resilient store over a scripted one, in a time that the test sets; two workers share the limits."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.store = ScriptedStore(self.clock)
        self.recorder = Recorder()
        breaker = Breaker(faults=3, rest=1.0, clock=self.seconds)
        fallback = Fallback(2, self.clock)
        self.resilient = ResilientStore(self.store, "redis", self.recorder, fallback, breaker, self.seconds)

    def seconds(self) -> float:
        return self.clock.now() / 1_000_000

    def decide(self, counter: Counter) -> Decision:
        """Return the decision of a plan over ``counter``, whoever makes it."""
        decision = self.resilient.decide(plan(counter), FailMode.LOCAL).decision
        assert decision is not None
        return decision

    def attempt(self, counter: Counter) -> Receipt:
        """Return the receipt of an admitted plan over ``counter``."""
        receipt = self.decide(counter).receipt
        assert receipt is not None
        return receipt
