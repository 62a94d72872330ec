"""Clocks: windows are exact to the microsecond, and a clock that steps back never opens one again (laws 2 and 11)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

import pytest

from authguard.limits import Algorithm, Counter, Limit
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import ANN, BOB, MINUTE, account, attempts, distinct, failures, left, new_key, plan, spend

HOUR = 60 * MINUTE


def every_kind() -> list[Counter]:
    """Return a counter of each way of counting."""
    plain = [attempts(Limit(3, MINUTE, algorithm)) for algorithm in Algorithm if algorithm not in OTHERS]
    backoff = attempts(Limit.backoff(0, MINUTE, 5 * MINUTE))
    return [*plain, backoff, failures("3/1m"), account("3/1m"), distinct("1/1m", ANN)]


OTHERS = {Algorithm.BACKOFF, Algorithm.DISTINCT}
KINDS = pytest.mark.parametrize("kind", range(len(every_kind())), ids=lambda kind: _name(every_kind()[kind]))


def _name(counter: Counter) -> str:
    return f"{counter.limit.algorithm}-{counter.layer}"


def fill(tested: StoreUnderTest, counter: Counter) -> Counter:
    """Charge ``counter`` until it is full, with a while between charges; return the counter as the next one sees it."""
    while tested.store.peek(plan(counter)).allowed and left(tested.store, counter):
        assert tested.store.decide(plan(counter)).allowed
        tested.advance(1_234_567)
    if counter.limit.algorithm is Algorithm.DISTINCT:
        return distinct("1/1m", BOB, counter.key)
    return counter


class Clocks:
    """Tests of time."""

    @KINDS
    def test_the_wait_is_exact(self, tested: StoreUnderTest, kind: int) -> None:
        full = fill(tested, every_kind()[kind])
        wait = tested.store.decide(plan(full)).retry_after
        assert wait
        tested.advance(wait - 1)
        assert tested.store.decide(plan(full)).retry_after == 1
        tested.advance(1)
        assert tested.store.decide(plan(full)).allowed

    def test_the_wait_of_a_plan_is_the_longest(self, tested: StoreUnderTest) -> None:
        short, long, open_ = attempts("1/1m"), failures("1/5m"), attempts("9/1h")
        tested.store.decide(plan(short, long))
        tested.advance(10_000_000)
        denied = tested.store.decide(plan(short, open_, long))
        assert denied.reply.waits == (50_000_000, 0, 290_000_000)
        assert denied.retry_after == 290_000_000

    def test_a_charge_stands_for_the_whole_window_and_no_longer(self, tested: StoreUnderTest) -> None:
        counters = attempts("5/1m"), failures("5/1m"), account("5/1m")
        tested.store.decide(plan(*counters))
        tested.advance(MINUTE // 2)
        tested.store.decide(plan(*counters))
        tested.advance(MINUTE // 2 - 1)
        assert [left(tested.store, counter) for counter in counters] == [3, 3, 3]
        tested.advance(1)
        assert [left(tested.store, counter) for counter in counters] == [4, 4, 4]
        tested.advance(MINUTE // 2)
        assert [left(tested.store, counter) for counter in counters] == [5, 5, 5]

    @KINDS
    def test_a_clock_that_steps_back_opens_nothing(self, tested: StoreUnderTest, kind: int) -> None:
        full = fill(tested, every_kind()[kind])
        tested.advance(-HOUR)
        wait = tested.store.decide(plan(full)).retry_after
        assert wait
        assert wait > HOUR - MINUTE // 10
        for minutes in range(10):
            assert tested.store.decide(plan(full)).retry_after == wait - minutes * MINUTE
            tested.advance(MINUTE)

    @KINDS
    def test_after_a_step_back_the_wait_is_still_exact(self, tested: StoreUnderTest, kind: int) -> None:
        full = fill(tested, every_kind()[kind])
        tested.advance(-HOUR)
        wait = tested.store.decide(plan(full)).retry_after
        assert wait
        tested.advance(wait - 1)
        assert not tested.store.decide(plan(full)).allowed
        tested.advance(1)
        assert tested.store.decide(plan(full)).allowed

    def test_charges_made_while_the_clock_is_behind_stand_as_long_as_the_last_before(
        self, tested: StoreUnderTest
    ) -> None:
        counter = attempts("2/1m")
        spend(tested.store, counter, 1)
        tested.advance(-HOUR)
        spend(tested.store, counter, 1)
        tested.advance(HOUR + MINUTE - 1)
        assert left(tested.store, counter) == 0
        tested.advance(1)
        assert left(tested.store, counter) == 2

    def test_a_step_forward_costs_one_budget_at_most(self, tested: StoreUnderTest) -> None:
        key = new_key()
        spend(tested.store, attempts("5/1m", key), 5)
        tested.advance(HOUR)
        spend(tested.store, attempts("5/1m", key), 5)
        tested.advance(-HOUR)
        assert not tested.store.decide(plan(attempts("5/1m", key))).allowed
