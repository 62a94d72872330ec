"""Leases: who serves a request, what it costs the store, and how far a limit can be missed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.clock import SECOND, ManualClock
from authguard.errors import StoreUnavailable
from authguard.limits import Algorithm, Counter, Limit, Outcome
from authguard.limits.limit import LEASABLE
from authguard.stores.lease import RESTS, Leases
from authguard.stores.leasing import LeasingStore
from authguard.stores.memory import MemoryStore
from authguard.testing import StoreUnderTest
from authguard.testing.contract import StoreContract
from authguard.testing.plans import ANN, MINUTE, SECRET, account, attempts, left, plan
from tests.stores.harnesses import dump_memory
from tests.stores.histories import histories
from tests.stores.lease_site import LOOSE, Site, loose


@contextmanager
def leasing() -> Iterator[StoreUnderTest]:
    """Give a leasing store over one in memory."""
    clock = ManualClock()
    store = MemoryStore(clock)
    yield StoreUnderTest(LeasingStore(store, Leases(clock.now)), clock.advance, lambda: dump_memory(store))


class TestPassingOn(StoreContract):
    """What has no lease is as in the store behind."""

    @pytest.fixture
    def tested(self) -> Iterator[StoreUnderTest]:
        with leasing() as tested:
            yield tested


TestHistories = histories(leasing, examples=20)


def test_a_block_is_taken_with_a_call_and_served_from_memory() -> None:
    site, big, small = Site(), loose(), attempts("50/1m")
    for number in range(10):
        decision = site.here.decide(plan(big, small, hold=0))
        assert (decision.allowed, decision.remaining) == (True, {"loose": 999 - number, "attempts": 49 - number})
        assert left(site.store, big) == 990
    assert site.store.calls == 10
    assert site.here.decide(plan(big, small)).allowed
    assert (left(site.store, big), left(site.store, small)) == (980, 39)


def test_a_plan_of_leases_alone_needs_no_call() -> None:
    site, big = Site(), loose()
    replies = [site.here.decide(plan(big, hold=0)).reply for _ in range(10)]
    assert site.store.calls == 1
    assert [reply.remaining for reply in replies] == [(left,) for left in range(999, 989, -1)]
    assert all(reply.now == site.clock.now() for reply in replies)
    assert site.here.peek(plan(big, hold=0)).remaining == {"loose": 989}
    site.here.decide(plan(big, hold=0))
    assert site.here.peek(plan(big, hold=0)).allowed
    assert site.store.calls == 2


def test_a_denied_plan_takes_nothing_from_the_lease_nor_a_block() -> None:
    site, big, full = Site(), loose(), attempts("1/1m")
    site.store.decide(plan(full))
    for _ in range(5):
        denied = site.here.decide(plan(full, big))
        assert (denied.denied, denied.remaining["loose"]) == (("attempts",), 1000)
    assert left(site.store, big) == 1000
    site.here.decide(plan(big, attempts()))
    denied = site.here.peek(plan(full, big))
    for _ in range(20):
        denied = site.here.decide(plan(full, big))
        assert (denied.denied, denied.remaining["loose"], denied.reply.stamps) == (("attempts",), 999, (-1, -1))
    assert site.here.peek(plan(full, big)).reply == denied.reply
    for _ in range(9):
        assert site.here.decide(plan(big, attempts())).allowed
    assert left(site.store, big) == 990


def test_a_failing_store_takes_nothing_from_the_lease() -> None:
    site, big = Site(), loose()
    site.here.decide(plan(big, attempts()))
    site.store.down = True
    for _ in range(20):
        with pytest.raises(StoreUnavailable):
            site.here.decide(plan(big, attempts()))
    with pytest.raises(StoreUnavailable):
        site.here.decide(plan(loose(), attempts()))
    site.store.down = False
    for _ in range(9):
        assert site.here.decide(plan(big, attempts())).allowed
    assert left(site.store, big) == 990


def test_a_lease_ends_by_itself() -> None:
    site, big = Site(), loose()
    site.here.decide(plan(big, hold=0))
    site.clock.advance(LOOSE.period - 1)
    site.here.decide(plan(big, hold=0))
    assert site.store.calls == 1
    site.clock.advance(1)
    site.here.decide(plan(big, hold=0))
    assert site.store.calls == 2


def test_the_last_units_are_charged_one_by_one_and_the_wait_is_exact() -> None:
    site, big = Site(), loose(Limit.parse("25/1m", Algorithm.FIXED_WINDOW))
    assert [site.here.decide(plan(big, hold=0)).allowed for _ in range(26)] == [True] * 25 + [False]
    calls = site.store.calls
    denied = site.here.decide(plan(big, hold=0))
    assert site.store.calls == calls + 1
    assert denied.retry_after
    site.clock.advance(denied.retry_after - 1)
    assert not site.here.decide(plan(big, hold=0)).allowed
    site.clock.advance(1)
    assert site.here.decide(plan(big, hold=0)).allowed
    assert left(site.store, big) == 24
    site.clock.advance(big.limit.period // RESTS)
    assert site.here.decide(plan(big, hold=0)).allowed
    assert left(site.store, big) == 14


def test_an_attempt_is_settled_in_the_store() -> None:
    site, big, failed = Site(), loose(), account("5/1m")
    for _ in range(3):
        receipt = site.here.decide(plan(big, failed, client=ANN, guess=SECRET)).receipt
        assert receipt is not None
        assert site.here.settle(receipt, Outcome.SUCCESS)
        assert not site.here.settle(receipt, Outcome.SUCCESS)
    assert left(site.store, failed) == 5
    alone = site.here.decide(plan(big)).receipt
    assert alone is not None
    assert site.here.settle(alone, Outcome.FAILURE)


def test_a_repeated_plan_never_brings_a_block_twice() -> None:
    site, big, small = Site(), loose(), attempts("50/1m")
    again = plan(big, small)
    admitted = sum(site.here.decide(again).allowed for _ in range(35))
    assert admitted == 35
    assert left(site.store, big) <= 1000 - 35
    assert left(site.store, small) > 50 - 35


def test_a_repeated_plan_that_a_lease_served_before_may_be_charged_whole() -> None:
    site, big, small = Site(), loose(Limit.parse("15/1m", Algorithm.FIXED_WINDOW)), attempts("50/1m")
    again = plan(big, small)
    # A block, nine out of it, and then there is no room for another.
    decisions = [site.here.decide(again) for _ in range(12)]
    assert all(decision.allowed for decision in decisions)
    assert decisions[-1].remaining == {"loose": 4, "attempts": 47}


@pytest.mark.parametrize(
    "counter", [attempts("1000/1m", lease=10), replace(loose(), cost=11), replace(loose(), lease=0)]
)
def test_what_can_not_be_leased_is_charged_by_the_store(counter: Counter) -> None:
    site = Site()
    for _ in range(3):
        assert site.here.decide(plan(counter, hold=0)).allowed
    assert left(site.store, counter) == 1000 - 3 * counter.cost


@given(
    algorithm=st.sampled_from(sorted(LEASABLE)),
    steps=st.lists(
        st.tuples(st.booleans(), st.integers(1, 30), st.sampled_from([0, 1, 5, 6, 30, 59])), min_size=5, max_size=60
    ),
)
def test_it_is_never_more_than_a_lease_a_process_off(algorithm: Algorithm, steps: list[tuple[bool, int, int]]) -> None:
    """What was served before any instant is at most what the store was charged by then; after, a lease each more."""
    site, big = Site(), loose(Limit.parse("40/1m", algorithm))
    charged, served, gaps = 0, 0, []
    for here, times, seconds in steps:
        for _ in range(times):
            before = left(site.store, big)
            served += (site.here if here else site.there).decide(plan(big, hold=0)).allowed
            charged += before - left(site.store, big)
        gaps.append(charged - served)
        assert gaps[-1] >= 0
        site.clock.advance(seconds * SECOND)
    held = sum(len(each._leases) for each in (site.here, site.there))
    assert held <= 2


def test_the_worst_case_is_a_lease_a_process_over_the_edge_of_a_window() -> None:
    site, big = Site(), loose(Limit.parse("100/1m", Algorithm.FIXED_WINDOW))
    site.clock.advance(MINUTE - site.clock.now() % MINUTE - 1)
    for process in (site.here, site.there):
        assert process.decide(plan(big, hold=0)).allowed
    site.clock.advance(1)
    admitted = sum(process.decide(plan(big, hold=0)).allowed for _ in range(200) for process in (site.here, site.there))
    assert admitted == 100 + 2 * (big.lease - 1)
