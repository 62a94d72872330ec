"""Resilience: what a decision is worth when the store can't make it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from authguard.errors import StoreError, StoreFull, StoreTimeout
from authguard.events import Observer, StoreFaulted
from authguard.limits import Decision, Outcome, Plan, Receipt
from authguard.policy.model import FailMode
from authguard.stores.base import Store


class Source(StrEnum):
    """Who made a ruling: the store, the process's own tight counters, or nobody (fail open)."""

    STORE = "store"
    LOCAL = "local"
    OPEN = "open"


class Ruling(NamedTuple):
    """A decision and where it comes from; no decision means that nobody looked and the request may go on."""

    decision: Decision | None
    source: Source


class ResilientStore:
    """A store whose faults are answered by the policy's fail mode."""

    def __init__(self, store: Store, backend: str, observer: Observer) -> None:
        self._store = store
        self._backend = backend
        self._observer = observer

    def decide(self, plan: Plan, mode: FailMode) -> Ruling:
        """Decide ``plan``. Raises ``StoreError`` when the store fails and ``mode`` is closed."""
        try:
            return Ruling(self._store.decide(plan), Source.STORE)
        except StoreError as error:
            self._report("decide", error)
            if mode is FailMode.OPEN:
                return Ruling(None, Source.OPEN)
            raise

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """Settle an attempt; ``False`` when it was settled before, came too late, or the store failed."""
        try:
            return self._store.settle(receipt, outcome)
        except StoreError as error:
            self._report("settle", error)
            return False

    def _report(self, operation: str, error: StoreError) -> None:
        fault = {StoreTimeout: "timeout", StoreFull: "full"}.get(type(error), "unavailable")
        self._observer.observe(StoreFaulted(self._backend, operation, fault))
