"""Unheard: a store whose answers get lost on their way, after it did what it was asked to do, or before."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TypeVar

from authguard.errors import StoreTimeout
from authguard.limits import Decision, Outcome, Plan, Receipt
from authguard.stores import Store

T = TypeVar("T")


class Line(Enum):
    """What becomes of the next call."""

    GOOD = "good"
    DONE = "done, and nobody hears of it"
    CUT = "never there"


class Unheard:
    """``store`` at the other end of a ``line``; ``settled`` is what the last settle did, whoever heard of it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.line = Line.GOOD
        self.settled = False

    def decide(self, plan: Plan) -> Decision:
        return self._call(lambda: self._store.decide(plan))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        self.settled = False

        def settle() -> bool:
            self.settled = self._store.settle(receipt, outcome)
            return self.settled

        return self._call(settle)

    def peek(self, plan: Plan) -> Decision:
        return self._store.peek(plan)

    def forget(self, keys: object) -> int:
        raise NotImplementedError

    def now(self) -> int:
        return self._store.now()

    def close(self) -> None:
        self._store.close()

    def _call(self, call: Callable[[], T]) -> T:
        if self.line is Line.CUT:
            raise StoreTimeout("cut")
        answer = call()
        if self.line is Line.DONE:
            raise StoreTimeout("unheard")
        return answer
