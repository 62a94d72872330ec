"""Shard pair: two places in memory that fail when told to, and the store over them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from authguard.clock import SECOND, ManualClock
from authguard.errors import StoreError, StoreTimeout, StoreUnavailable
from authguard.limits import Counter, Decision, Outcome, Plan, Receipt
from authguard.stores.breaker import Breaker
from authguard.stores.memory import MemoryStore
from authguard.stores.sharded import ShardedStore
from authguard.testing.plans import attempts

T = TypeVar("T")


class Failing(MemoryStore):
    """Fails a call when told to, after it was carried out or instead."""

    calls = 0
    fault: str = ""
    late = False
    error: type[StoreError] = StoreUnavailable

    def decide(self, plan: Plan) -> Decision:
        return self._do("decide", lambda: MemoryStore.decide(self, plan))

    def peek(self, plan: Plan) -> Decision:
        return self._do("peek", lambda: MemoryStore.peek(self, plan))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        return self._do("settle", lambda: MemoryStore.settle(self, receipt, outcome))

    def _do(self, name: str, call: Callable[[], T]) -> T:
        self.calls += 1
        if self.fault == name and not self.late:
            raise self.error("gone")
        answer = call()
        if self.fault == name:
            raise StoreTimeout("late")
        return answer


class Pair:
    """Two places in memory, and the store over them, which leaves a faulty place apart alone for ``rest`` seconds."""

    def __init__(self, rest: float = 0) -> None:
        self.clock = ManualClock()
        self.rest, self.apart = Failing(self.clock), Failing(self.clock)
        breaker = Breaker(rest=rest, clock=lambda: self.clock.now() / SECOND)
        self.store = ShardedStore(self.rest, self.apart, breaker)


def overall(limit: str = "3/1m", **more: Any) -> Counter:
    """Return a counter that is kept apart."""
    return attempts(limit, layer=more.pop("layer", "overall"), apart=True, **more)
