"""Lease site: a store in memory and processes that lease from it, in a time that the tests set."""

from __future__ import annotations

from authguard.clock import ManualClock
from authguard.errors import StoreTimeout, StoreUnavailable
from authguard.limits import Algorithm, Counter, Decision, Limit, Plan
from authguard.stores.lease import Leases
from authguard.stores.leasing import LeasingStore
from authguard.stores.memory import MemoryStore
from authguard.testing.plans import new_key

LOOSE = Limit.parse("1000/1m", Algorithm.FIXED_WINDOW)


class Counted(MemoryStore):
    """Counts its decisions, and fails when told to: instead of one, or after it."""

    calls = 0
    down = False
    late = False

    def decide(self, plan: Plan) -> Decision:
        self.calls += 1
        if self.down:
            raise StoreUnavailable("gone")
        decision = super().decide(plan)
        if self.late:
            raise StoreTimeout("late")
        return decision


class Site:
    """A store and the processes that lease from it, two unless told otherwise, in one time."""

    def __init__(self, processes: int = 2) -> None:
        self.clock = ManualClock()
        self.store = Counted(self.clock)
        self.leases = [Leases(self.clock.now) for _ in range(processes)]
        self.processes = [LeasingStore(self.store, leases) for leases in self.leases]
        self.here, self.there = self.processes[0], self.processes[-1]


def loose(limit: Limit = LOOSE, lease: int = 10, key: bytes = b"", cost: int = 1) -> Counter:
    """Return a counter with a lease."""
    return Counter("loose", key or new_key(), limit, cost, lease=lease)
