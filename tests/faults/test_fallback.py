"""The fallback: each process spends its share of a limit, and no step of the clock or of the store gives it back."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.clock import SECOND, ManualClock
from authguard.durations import LONGEST
from authguard.errors import StoreFull
from authguard.limits import Algorithm, Counter, Counts, Limit, Outcome, Plan
from authguard.limits.limit import BURSTING
from authguard.stores.fallback import Fallback, share_of, share_of_limit
from authguard.stores.memory import MemoryStore
from authguard.stores.steady_clock import SteadyClock
from authguard.testing.plans import MINUTE, attempts, distinct, failures, new_key, plan

HOUR = 60 * MINUTE


def admitted(fallback: Fallback, counter: Counter, tries: int) -> int:
    return sum(fallback.decide(plan(counter)).allowed for _ in range(tries))


@pytest.mark.parametrize(("workers", "share"), [(1, 20), (2, 10), (3, 6), (4, 5), (20, 1), (21, 1), (1000, 1)])
def test_a_process_spends_its_share(workers: int, share: int) -> None:
    assert admitted(Fallback(workers, ManualClock()), failures("20/1h"), 50) == share


@pytest.mark.parametrize("algorithm", [a for a in Algorithm if a not in (Algorithm.BACKOFF, Algorithm.DISTINCT)])
def test_every_way_of_counting_is_shared(algorithm: Algorithm) -> None:
    burst = 8 if algorithm in BURSTING else 0
    limit = Limit(40, MINUTE, algorithm, burst)
    assert admitted(Fallback(4, ManualClock()), attempts(limit), 100) == limit.capacity // 4


def test_distinct_members_are_shared() -> None:
    fallback, key = Fallback(3, ManualClock()), distinct("6/1h", b"member0").key
    results = [fallback.decide(plan(distinct("6/1h", b"member%d" % n, key))).allowed for n in (0, 1, 2, 0, 1)]
    assert results == [True, True, False, True, True]


def test_a_ladder_is_climbed_at_a_fraction_of_its_pace() -> None:
    clock = ManualClock()
    fallback, counter = Fallback(4, clock), attempts(Limit.backoff(0, 60 * SECOND, 300 * SECOND))
    assert admitted(fallback, counter, 2) == 1
    clock.advance(240 * SECOND - 1)
    assert admitted(fallback, counter, 2) == 0
    clock.advance(1)
    assert admitted(fallback, counter, 2) == 1


def test_a_cost_above_the_share_is_admitted_once_and_one_above_the_limit_never() -> None:
    fallback, costly = Fallback(8, ManualClock()), attempts("100/1h", cost=50)
    assert admitted(fallback, costly, 5) == 1
    decision = fallback.decide(plan(attempts("100/1h", cost=101)))
    assert not decision.allowed
    assert decision.retry_after is None


def test_money_is_not_spent_beyond_the_share() -> None:
    budget = Counter("sms", new_key(), Limit(100, MINUTE, Algorithm.BUDGET), 50, Counts.RESERVATIONS)
    assert admitted(Fallback(2, ManualClock()), budget, 3) == 1
    assert admitted(Fallback(3, ManualClock()), budget, 3) == 0


limits = st.builds(
    lambda algorithm, amount, period, burst: Limit(amount, period, algorithm, burst if algorithm in BURSTING else 0),
    st.sampled_from([algorithm for algorithm in Algorithm if algorithm is not Algorithm.BACKOFF]),
    st.integers(1, 2000),
    st.integers(1, 1000 * MINUTE),
    st.integers(0, 2000),
)
ladders = st.lists(st.integers(0, LONGEST), min_size=1, max_size=5).map(lambda gaps: Limit.backoff(*gaps))


@given(limit=limits | ladders, workers=st.integers(1, 500))
def test_a_share_is_never_looser_than_the_limit(limit: Limit, workers: int) -> None:
    share = share_of_limit(limit, workers)
    assert share.algorithm is limit.algorithm
    assert 1 <= share.amount <= limit.amount
    assert share.burst <= limit.burst
    assert share.period >= limit.period
    assert all(longer >= gap for longer, gap in zip(share.gaps, limit.gaps, strict=True))
    if limit.amount >= workers:
        assert share.amount * workers <= limit.amount


def test_one_process_has_the_whole_limit() -> None:
    counter = attempts(Limit(7, MINUTE, Algorithm.GCRA, 3))
    assert share_of(counter, 1) == counter


def test_nobody_is_served_twice_with_one_receipt() -> None:
    fallback, counter = Fallback(1, ManualClock()), failures("5/1h")
    receipt = fallback.decide(plan(counter)).receipt
    assert receipt is not None
    assert fallback.settle(receipt, Outcome.SUCCESS)
    assert not fallback.settle(receipt, Outcome.SUCCESS)
    assert admitted(fallback, counter, 9) == 5


def test_a_full_fallback_refuses_what_it_can_not_count() -> None:
    fallback = Fallback(1, ManualClock(), max_keys=10)
    known = failures("5/1h")
    assert admitted(fallback, known, 5) == 5
    for _ in range(5):
        assert fallback.decide(plan(failures("5/1h"))).allowed
    with pytest.raises(StoreFull):
        fallback.decide(plan(failures("5/1h")))
    assert not fallback.decide(plan(known)).allowed


def test_a_clock_that_is_set_does_not_reach_the_counters() -> None:
    wall, ticks = ManualClock(), [5_000_000_000]
    clock = SteadyClock(wall, lambda: ticks[0])
    started = wall.now()
    wall.advance(3600 * SECOND)
    ticks[0] += 1_000_000
    assert clock.now() == started + 1000
    wall.advance(-7200 * SECOND)
    assert clock.now() == started + 1000


def test_without_a_clock_of_its_own_it_takes_a_steady_one() -> None:
    store = Fallback()._store
    assert isinstance(store, MemoryStore)
    assert isinstance(store._clock, SteadyClock)


def test_a_share_keeps_what_the_plan_says_of_the_attempt() -> None:
    asked = replace(plan(failures("8/1h"), client=b"client!", guess=b"g1"), nonce=bytes(range(16)), keep=HOUR)
    decided = Fallback(1, ManualClock()).decide(asked).plan
    assert [getattr(decided, each.name) for each in fields(Plan)] == [
        getattr(asked, each.name) for each in fields(Plan)
    ]
