"""What leases waste: a block a process at most, whatever is asked, denied, late or forgotten meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.errors import StoreTimeout
from authguard.limits import Algorithm, Decision, Limit, Plan
from authguard.stores.lease import RESTS, Lease, Leases
from authguard.stores.leasing import LeasingStore
from authguard.stores.memory import MemoryStore
from authguard.testing.plans import MINUTE, attempts, left, new_key, plan
from tests.stores.lease_site import LOOSE, Site, loose


def test_one_long_lease_does_not_keep_the_ended_ones() -> None:
    clock = ManualClock()
    leases = Leases(clock.now, most=8)
    store = LeasingStore(MemoryStore(clock), leases)
    day = loose(Limit.parse("1000/1d", Algorithm.FIXED_WINDOW))
    for counter in (day, *(loose() for _ in range(7))):
        store.decide(plan(counter, hold=0))
    clock.advance(LOOSE.period)
    newcomers = [loose() for _ in range(7)]
    for counter in newcomers:
        store.decide(plan(counter, hold=0))
    assert [leases.look(counter) is not None for counter in (day, *newcomers)] == [True] * 8


def test_a_denied_request_that_costs_much_drops_nothing_of_a_lease() -> None:
    site, full, key = Site(), attempts("1/1m"), new_key()
    site.store.decide(plan(full))
    cheap, dear = loose(key=key), loose(key=key, cost=10)
    for _ in range(10):
        assert site.here.decide(plan(cheap, hold=0)).allowed
        assert site.here.decide(plan(dear, full, hold=0)).denied == ("attempts",)
    assert left(site.store, cheap) == 990


def test_what_is_left_of_a_block_is_added_to_the_next() -> None:
    site, big = Site(), loose(cost=3)
    for _ in range(10):
        assert site.here.decide(plan(big, hold=0)).allowed
    assert left(site.store, loose(key=big.key)) == 1000 - 30


def test_processes_that_serve_few_waste_one_block_each_in_a_period() -> None:
    """Ten requests a minute in each of ten processes are a hundred of ten thousand."""
    site, big = Site(processes=10), loose(Limit.parse("10000/1m", Algorithm.FIXED_WINDOW), lease=100)
    site.clock.advance(MINUTE - site.clock.now() % MINUTE)
    for _ in range(10):
        assert all(process.decide(plan(big, hold=0)).allowed for process in site.processes)
        site.clock.advance(6 * SECOND - 1)
    assert left(site.store, big) == 10_000 - 10 * 100


def test_ten_processes_with_100_each_of_100_000_are_one_percent_over() -> None:
    """R4's worked number: 10 × 100 of 100,000 a minute."""
    site, big = Site(processes=10), loose(Limit.parse("100000/1m", Algorithm.FIXED_WINDOW), lease=100)
    site.clock.advance(MINUTE - site.clock.now() % MINUTE - 1)
    assert all(process.decide(plan(big, hold=0)).allowed for process in site.processes)
    site.clock.advance(1)
    taken = 100_000 - 100 * 10
    assert site.store.decide(plan(replace(big, cost=taken, lease=0), hold=0)).allowed
    admitted = taken
    for process in site.processes * 2:
        while process.decide(plan(big, hold=0)).allowed:
            admitted += 1
    assert admitted == 100_000 + 10 * (100 - 1)


def test_a_store_that_answers_too_late_is_not_charged_a_block_by_every_try() -> None:
    site, big = Site(), loose()
    site.clock.advance(MINUTE - site.clock.now() % MINUTE)
    site.store.late = True
    for _ in range(60):
        with pytest.raises(StoreTimeout):
            site.here.decide(plan(big, attempts()))
        site.clock.advance(SECOND - 1)
    assert left(site.store, big) >= 1000 - RESTS * 10 - 60


def test_what_is_asked_for_while_a_counter_is_forgotten_is_not_served_uncharged() -> None:
    site, big = Site(), loose()

    class Busy(MemoryStore):
        def forget(self, keys: Sequence[bytes]) -> int:
            here.decide(plan(big, hold=0))
            return super().forget(keys)

    store = Busy(site.clock)
    here = LeasingStore(store, site.leases[0])
    here.forget([big.key])
    assert here.decide(plan(big, hold=0)).allowed
    assert left(store, big) == 990


def test_a_block_that_comes_after_its_counter_was_forgotten_is_lost() -> None:
    site, big = Site(), loose()

    class Overtaken(MemoryStore):
        def decide(self, plan: Plan) -> Decision:
            decision = super().decide(plan)
            assert here.forget([big.key]) == 1
            return decision

    here = LeasingStore(Overtaken(site.clock), site.leases[0])
    assert here.decide(plan(big, hold=0)).allowed
    assert site.leases[0].look(big) is None


def test_a_lease_of_another_limit_is_not_served() -> None:
    site, big = Site(), loose()
    assert site.here.decide(plan(big, hold=0)).allowed
    lowered = loose(Limit.parse("10/1m", Algorithm.FIXED_WINDOW), key=big.key)
    assert site.here.decide(plan(lowered, hold=0)).denied == ("loose",)


def test_what_is_given_back_while_a_block_is_asked_for_makes_no_process_hold_more_than_a_block() -> None:
    clock, big = ManualClock(), loose()
    leases = Leases(clock.now)

    def put_a_block() -> None:
        leases.put(big, Lease(big.limit, big.lease, clock.now() + MINUTE))

    assert leases.ask(big)
    put_a_block()
    assert all(leases.take(big) for _ in range(big.lease))
    assert leases.ask(big)
    for _ in range(big.lease):
        leases.give(big)
    put_a_block()
    held = leases.look(big)
    assert held is not None
    assert held.units == big.lease
    leases.give(big)
    assert held.units == big.lease
