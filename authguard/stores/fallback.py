"""Fallback: tight counters of one process that stand in while the shared store can't be asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from authguard.clock import Clock
from authguard.durations import LONGEST
from authguard.limits import Algorithm, Counter, Counts, Decision, Limit, Outcome, Plan, Receipt
from authguard.stores.memory import MemoryStore
from authguard.stores.steady_clock import SteadyClock

KEYS = 100_000
"""Counters that the fallback keeps at most, some 50 MB; the rest of a flood is refused (law 15)."""


@dataclass(frozen=True, slots=True)
class LocalPlan(Plan):
    """A plan over this process's share of its limits. What is admitted under one is settled where it was charged."""


class Fallback:
    """Counts in this process, against this process's share of each limit.

    ``workers`` is the number of processes that serve the application, on all machines together: each gets
    ``max(1, amount // workers)`` of a limit, so that together they admit about one budget. The counters are kept for
    their windows and never cleared when the store is back: a store that fails again and again costs one budget, not
    one each time (law 2). Nothing is carried over to the store either; it would be a guess.
    """

    def __init__(self, workers: int = 1, clock: Clock | None = None, max_keys: int = KEYS) -> None:
        self._workers = workers
        self._store = MemoryStore(clock or SteadyClock(), max_keys)

    def decide(self, plan: Plan) -> Decision:
        """Decide ``plan`` over this process's counters; raises ``StoreFull`` when there is no room for another."""
        counters = tuple(share_of(counter, self._workers) for counter in plan.counters)
        return self._store.decide(LocalPlan(counters, plan.client, plan.guess, plan.hold, plan.nonce, plan.keep))

    def now(self) -> int:
        """Return the time that the counters here live by, in microseconds since the Unix epoch."""
        return self._store.now()

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """Settle an attempt that was charged here."""
        return self._store.settle(receipt, outcome)


def share_of(counter: Counter, workers: int) -> Counter:
    """Return ``counter`` over one process's share of its limit.

    A cost that the whole limit would admit takes no more than the share: each process can admit it once. Money is
    different: what costs more than the share is not spent.
    """
    limit, cost = share_of_limit(counter.limit, workers), counter.cost
    if cost <= counter.limit.capacity and counter.counts is not Counts.RESERVATIONS:
        cost = min(cost, limit.capacity)
    return replace(counter, limit=limit, cost=cost)


@lru_cache(maxsize=1024)
def share_of_limit(limit: Limit, workers: int) -> Limit:
    """Return the part of ``limit`` that one of ``workers`` processes may spend: at least 1, never more than all.

    A backoff can't be split by number; its gaps become longer instead.
    """
    if limit.algorithm is Algorithm.BACKOFF:
        return Limit.backoff(*(max(gap, min(gap * workers, LONGEST)) for gap in limit.gaps))
    return replace(limit, amount=max(1, limit.amount // workers), burst=limit.burst and max(1, limit.burst // workers))
