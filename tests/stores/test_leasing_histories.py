"""Random histories of leases: each unit that is served was charged, and none is lost without a cause."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from authguard.clock import SECOND
from authguard.errors import StoreError
from authguard.limits import Algorithm, Counter, Limit
from authguard.limits.limit import LEASABLE
from authguard.testing.plans import attempts, left, plan
from tests.stores.histories import case_of
from tests.stores.lease_site import Site, loose

LEASE = 10
COSTS = (1, 1, 2, 3, 9, 10, 11)


class LeaseHistory(RuleBasedStateMachine):
    """Two processes ask at any cost, alone or along with a counter that is full; the store fails; limits change.

    Of what the store was charged, ``idle`` are units that were never served and are held by nobody.
    """

    @initialize(algorithm=st.sampled_from(sorted(LEASABLE)))
    def begin(self, algorithm: Algorithm) -> None:
        self.site = Site()
        self.big = loose(Limit.parse("60/1m", algorithm), LEASE)
        self.full = attempts("1/400d")
        self.site.store.decide(plan(self.full, hold=0))
        self.charged = self.served = 0

    @rule(process=st.integers(0, 1), cost=st.sampled_from(COSTS), others=st.sampled_from(["none", "free", "full"]))
    def ask(self, process: int, cost: int, others: str) -> None:
        idle, held, charged = self.idle, self.held(process), self.charged
        allowed = self._ask(process, cost, others)
        assert self.idle == idle
        if others == "full":
            assert not allowed
            assert (self.charged, self.held(process)) == (charged, held)

    @rule(process=st.integers(0, 1), cost=st.sampled_from(COSTS), late=st.booleans())
    def fail(self, process: int, cost: int, late: bool) -> None:
        idle, held = self.idle, self.held(process)
        self.site.store.down, self.site.store.late = not late, late
        try:
            self._ask(process, cost, "free")
        except StoreError:
            assert self.held(process) == held
        self.site.store.down = self.site.store.late = False
        # A call that came late may have charged a block and, where that had no room, nothing else.
        assert 0 <= self.idle - idle <= (max(cost, LEASE) if late else 0)

    @rule(seconds=st.sampled_from([0, 1, 5, 6, 30, 59, 60, 120]))
    def advance(self, seconds: int) -> None:
        self.site.clock.advance(seconds * SECOND)

    @rule(amount=st.sampled_from([30, 60, 90]))
    def change_the_limit(self, amount: int) -> None:
        limit = self.big.limit
        self.big = replace(self.big, limit=replace(limit, amount=amount, burst=limit.burst and amount))

    @rule(process=st.integers(0, 1))
    def restart(self, process: int) -> None:
        self.site.leases[process]._clear()

    @invariant()
    def nothing_is_served_uncharged(self) -> None:
        if hasattr(self, "site"):
            assert self.idle >= 0
            assert max(self.held(0), self.held(1)) <= LEASE

    def _ask(self, process: int, cost: int, others: str) -> bool:
        counter = replace(self.big, cost=cost)
        beside: tuple[Counter, ...] = {"none": (), "free": (attempts(),), "full": (self.full,)}[others]
        before = left(self.site.store, self.big)
        try:
            allowed = self.site.processes[process].decide(plan(counter, *beside, hold=0)).allowed
        finally:
            self.charged += before - left(self.site.store, self.big)
        self.served += cost * allowed
        return allowed

    @property
    def idle(self) -> int:
        return self.charged - self.served - self.held(0) - self.held(1)

    def held(self, process: int) -> int:
        """Return how many units a process has in hand, under the limit as it is now."""
        lease = self.site.leases[process].look(replace(self.big, cost=1))
        return lease.units if lease is not None else 0


TestLeases = case_of(LeaseHistory, examples=60)
