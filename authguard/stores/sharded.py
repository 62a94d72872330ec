"""Sharded: a store that keeps layers marked apart in a place of their own, charged by reserve-then-confirm."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from authguard.errors import StoreError, StoreFull, StoreUnavailable
from authguard.limits import Algorithm, Counter, Counts, Decision, Outcome, Plan, Receipt
from authguard.limits.plan import NONCE_SIZE, REPLAY_WINDOW, TAG_SIZE
from authguard.stores.base import Store
from authguard.stores.breaker import Breaker
from authguard.stores.partial_plan import part_of, receipt_of, unspent, whole_of
from authguard.stores.start import Checked, StoreFinding

CALLS = 3
"""Store calls that a decision may take: reserve, decide, give back. A caller's deadline is to be divided by it."""


class ShardedStore:
    """Charges the counters that are ``apart`` in ``apart``, all others in ``store``.

    First the counters apart are charged; that reserves. Then the rest is decided. Where the rest denies, the
    reservation is given back; where it admits, nothing more is to be said, because the charge is there already. So
    whatever is lost on the way (the giving back, a process, an answer), too much is charged, for one period at most,
    and nothing is ever admitted uncharged. A plan that is decided again under its nonce reserves again. Where a layer
    apart denies, a guess that stands now is taken to stand still when it admits, so the wait may be told too short.

    ``apart`` has a breaker of its own: whoever counts this store's faults hears the successes of plans without layers
    apart in between, and would never leave a dead one alone.
    """

    def __init__(self, store: Store, apart: Store, breaker: Breaker | None = None) -> None:
        self._store = store
        self._apart = apart
        self._breaker = breaker or Breaker()

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`; a plan without counters apart is one call."""
        places = _places(plan)
        if not places:
            return self._store.decide(plan)
        rest = _rest(plan, places)
        reserved = self._ask_apart(self._apart.decide, _reservation(plan, places))
        if not reserved.allowed:
            return _join(plan, places, self._store.peek(rest), reserved)
        try:
            decision = self._store.decide(rest)
        except StoreFull:  # what had no room was certainly not charged; after any other fault it may have been
            self._give_back(reserved)
            raise
        if not decision.allowed:
            self._give_back(reserved)
        return _join(plan, places, decision, reserved)

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`. What is apart counts attempts, which no outcome gives back."""
        return self._store.settle(receipt_of(receipt), outcome)

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        places = _places(plan)
        if not places:
            return self._store.peek(plan)
        reserved = self._ask_apart(self._apart.peek, _reservation(plan, places))
        return _join(plan, places, self._store.peek(_rest(plan, places)), reserved)

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._store.forget(keys) + self._apart.forget(keys)

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`; the time of the rest, by which attempts are settled."""
        return self._store.now()

    def check(self) -> Sequence[StoreFinding]:
        """Return what speaks against either place."""
        found: dict[str, StoreFinding] = {}
        for store in (self._store, self._apart):
            if isinstance(store, Checked):
                found |= {finding.code: finding for finding in store.check()}
        return tuple(found.values())

    def close(self) -> None:
        """Close both places."""
        self._store.close()
        self._apart.close()

    def _ask_apart(self, question: Callable[[Plan], Decision], plan: Plan) -> Decision:
        leave = self._breaker.enter()
        if leave is None:
            raise StoreUnavailable("the place of the layers apart is down")
        try:
            answer = question(plan)
        except StoreFull:
            self._breaker.succeed(leave)
            raise
        except StoreError:
            self._breaker.fail(leave)
            raise
        except BaseException:
            self._breaker.abandon(leave)
            raise
        self._breaker.succeed(leave)
        return answer

    def _give_back(self, reserved: Decision) -> None:
        with suppress(StoreError):  # it stands then: denied for a moment what need not be
            self._apart.settle(Receipt(reserved.plan, reserved.reply.stamps, reserved.reply.now), Outcome.PARTIAL)


def _places(plan: Plan) -> tuple[int, ...]:
    return tuple(place for place, counter in enumerate(plan.counters) if counter.apart)


def _rest(plan: Plan, places: Sequence[int]) -> Plan:
    counters = [counter for place, counter in enumerate(plan.counters) if place not in places]
    return part_of(plan, counters, plan.nonce)


def _reservation(plan: Plan, places: Sequence[int]) -> Plan:
    """Return the plan of a reservation, which nothing but its own receipt gives back.

    Its nonce is its own: under the plan's, one that was given back would pass for one that stands.
    """
    counters = tuple(_refundable(plan.counters[place]) for place in places)
    nonce = secrets.token_bytes(NONCE_SIZE)
    return Plan(counters, client=nonce[:TAG_SIZE], hold=REPLAY_WINDOW, nonce=nonce)


def _refundable(counter: Counter) -> Counter:
    """Return ``counter`` as a log whose entries can be taken back; it admits the same at the same time."""
    if counter.counts is not Counts.ATTEMPTS or counter.limit.algorithm is not Algorithm.SLIDING_LOG:
        raise ValueError("only a sliding log of attempts can be kept apart")
    return replace(counter, counts=Counts.FAILURES)


def _join(plan: Plan, places: Sequence[int], rest: Decision, reserved: Decision) -> Decision:
    """Return the decision on the whole plan, admitted where both parts are."""
    admitted = rest.allowed and reserved.allowed
    apart = reserved.reply
    if not admitted:
        rest = Decision(rest.plan, unspent(rest.plan.counters, rest.reply))
        apart = unspent(reserved.plan.counters, apart)
    columns = dict(zip(places, zip(apart.waits, apart.remaining, apart.stamps, strict=True), strict=True))
    return whole_of(plan, rest, columns, admitted=admitted)
