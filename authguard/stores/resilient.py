"""Resilience: what a decision is worth when the store can't make it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeVar

from authguard.errors import StoreError, StoreFull, StoreTimeout, StoreUnavailable
from authguard.events import Observer, StoreFaulted, StoreRecovered, StoreSkipped, StoreSuspended
from authguard.limits import Decision, Outcome, Plan, Receipt
from authguard.limits.decision import new
from authguard.policy.model import FailMode
from authguard.stores.base import Store, Unasked
from authguard.stores.breaker import Breaker, Pass
from authguard.stores.fallback import Fallback, LocalPlan

T = TypeVar("T")

LOCAL_BACKEND = "local"
"""The name of the in-process counters in events."""


class Source(StrEnum):
    """Who made a ruling: the store, the process's own tight counters, or nobody (fail open)."""

    STORE = "store"
    LOCAL = "local"
    OPEN = "open"


_STORE = Source.STORE


class Ruling(NamedTuple):
    """A decision and where it comes from; no decision means that nobody looked and the request may go on."""

    decision: Decision | None
    source: Source


@dataclass(frozen=True, slots=True)
class Health:
    """How a store is doing, as this process sees it.

    ``up`` is false while the store is left alone. ``fault`` is the last one there was, in the words of
    :class:`~authguard.events.StoreFaulted`, and ``age`` how many seconds ago; both ``None`` before the first.
    """

    up: bool
    fault: str | None
    age: float | None


class ResilientStore:
    """A store whose faults are answered by the policy's fail mode, and that is left alone while it is down.

    A call is made once: a decision that came too late may have been charged all the same, and that charge stands as a
    failure. The same plan decided again has the same nonce, so that it counts once whichever calls landed.
    """

    def __init__(
        self,
        store: Store,
        backend: str,
        observer: Observer,
        fallback: Fallback | None = None,
        breaker: Breaker | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._backend = backend
        self._observer = observer
        self._fallback = fallback or Fallback()
        self._breaker = breaker or Breaker()
        self._clock = clock
        self._last: tuple[str, float] | None = None

    def decide(self, plan: Plan, mode: FailMode) -> Ruling:
        """Decide ``plan``. Raises ``StoreError`` when the store fails and ``mode`` is closed, or local and full too."""
        leave = self._enter("decide")
        if leave is None:
            return self._instead(plan, mode, StoreUnavailable("the store is down"))
        try:
            decision = self._store.decide(plan)
        except StoreError as error:
            self._report("decide", error, leave)
            return self._instead(plan, mode, error)
        except BaseException:
            self._breaker.abandon(leave)
            raise
        self._succeed(leave, decision)
        return new(Ruling, (decision, _STORE))

    def peek(self, plan: Plan) -> Decision | None:
        """Return what :meth:`decide` would say now; ``None`` where the store can't be asked."""
        return self._ask("peek", lambda store: store.peek(plan))

    def now(self) -> int:
        """Return the store's time in microseconds; while it can't be asked, that of the counters in its place."""
        now = self._ask("now", lambda store: store.now())
        return self._fallback.now() if now is None else now

    def forget(self, keys: Sequence[bytes]) -> int | None:
        """Drop the counters under ``keys``; ``None`` where the store can't be asked, and they stay."""
        return self._ask("forget", lambda store: store.forget(keys))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """Settle an attempt where it was charged; never raises an ``Exception``.

        ``False`` when it was settled before, came too late, or the store failed or is down: the charge stands then.
        """
        if isinstance(receipt.plan, LocalPlan):
            return self._fallback.settle(receipt, outcome)
        leave = self._enter("settle")
        if leave is None:
            return False
        try:
            settled = self._store.settle(receipt, outcome)
        except Exception as error:  # noqa: BLE001 - raised while a request is being answered, it would undo the answer
            self._report("settle", error, leave)
            return False
        except BaseException:
            self._breaker.abandon(leave)
            raise
        self._succeed(leave)
        return settled

    def health(self) -> Health:
        """Return how the store is doing; costs nothing and asks nobody."""
        if self._last is None:
            return Health(self._breaker.closed, None, None)
        fault, at = self._last
        return Health(self._breaker.closed, fault, self._clock() - at)

    def _ask(self, operation: str, question: Callable[[Store], T]) -> T | None:
        """Return the store's answer to a question that charges nothing, ``None`` where there is none."""
        leave = self._enter(operation)
        if leave is None:
            return None
        try:
            answer = question(self._store)
        except StoreError as error:
            self._report(operation, error, leave)
            return None
        except BaseException:
            self._breaker.abandon(leave)
            raise
        self._succeed(leave, answer)
        return answer

    def _enter(self, operation: str) -> Pass | None:
        leave = self._breaker.enter()
        if leave is None:
            self._observer.observe(StoreSkipped(self._backend, operation))
        return leave

    def _instead(self, plan: Plan, mode: FailMode, error: StoreError) -> Ruling:
        """Return what ``mode`` says in place of the store, or raise ``error``."""
        if mode is FailMode.OPEN:
            return Ruling(None, Source.OPEN)
        if mode is FailMode.CLOSED:
            raise error
        try:
            return Ruling(self._fallback.decide(plan), Source.LOCAL)
        except StoreFull:
            self._observer.observe(StoreFaulted(LOCAL_BACKEND, "decide", "full"))
            raise

    def _succeed(self, leave: Pass, answer: object = None) -> None:
        if isinstance(answer, Unasked):
            self._breaker.abandon(leave)
        elif self._breaker.succeed(leave):
            self._observer.observe(StoreRecovered(self._backend))

    def _report(self, operation: str, error: Exception, leave: Pass) -> None:
        # First the breaker: whoever is interrupted while it tells of the fault must not go away with the probe.
        recovered = suspended = False
        if isinstance(error, StoreFull):
            # A full store answers, and knows everybody that it has counted: leaving it alone would forgive them all.
            recovered = self._breaker.succeed(leave)
        elif isinstance(error, StoreError):
            suspended = self._breaker.fail(leave)
        else:
            self._breaker.abandon(leave)
        fault = _fault_of(error)
        self._last = fault, self._clock()
        self._observer.observe(StoreFaulted(self._backend, operation, fault))
        if recovered:
            self._observer.observe(StoreRecovered(self._backend))
        if suspended:
            self._observer.observe(StoreSuspended(self._backend, self._breaker.rest))


def _fault_of(error: Exception) -> str:
    if isinstance(error, StoreTimeout):
        return "timeout"
    if isinstance(error, StoreFull):
        return "full"
    return "unavailable" if isinstance(error, StoreError) else "error"
