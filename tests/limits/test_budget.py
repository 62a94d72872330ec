"""Budgets, driven by hand: what is spent never exceeds the amount in any window, and counts little longer than that."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.limits import Algorithm, Limit, budget
from authguard.limits.counting import NEVER
from authguard.limits.limit import LARGEST_BUDGET
from tests.limits.tally import Tally

HOUR = 3_600_000_000
BUCKET = HOUR // 60
START = 1_700_000_000_000_000 // HOUR * HOUR
TEN = Limit(10, HOUR, Algorithm.BUDGET)
TAG, OTHER = b"tag0000", b"tag0001"
HOLD = 120_000_000


def reserve(state: bytes, now: int, cost: int = 1, tag: bytes = TAG, limit: Limit = TEN) -> bytes:
    """Return the state with a reservation more."""
    charged: bytes
    wait, _, charged, _, _, _ = budget.count(state, limit, cost, now, tag, HOLD)
    assert wait == 0
    return charged


def left(state: bytes, now: int, limit: Limit = TEN) -> int:
    """Return what is left."""
    return budget.count(state, limit, 1, now)[1]


limits = st.builds(
    lambda amount, period: Limit(amount, period, Algorithm.BUDGET), st.integers(1, 20), st.integers(1, 10_000)
)
asks = st.lists(st.tuples(st.integers(0, 3_000), st.integers(1, 8)), max_size=60)


@given(limit=limits, asks=asks)
def test_no_window_holds_more_than_the_amount(limit: Limit, asks: list[tuple[int, int]]) -> None:
    tally, now = Tally(limit), START
    window: deque[tuple[int, int]] = deque()
    for step, cost in asks:
        now += step
        while window and now >= window[0][0] + limit.period:
            window.popleft()
        if tally.take(now, cost):
            window.append((now, cost))
            assert sum(cost for _, cost in window) <= limit.amount


@given(limit=limits, asks=asks)
def test_a_unit_counts_at_most_a_bucket_too_long(limit: Limit, asks: list[tuple[int, int]]) -> None:
    tally, now = Tally(limit), START
    longest = limit.period + -(-limit.period // budget.BUCKETS) - 1
    spent: list[tuple[int, int]] = []
    for step, cost in asks:
        now += step
        if tally.take(now, cost):
            spent.append((now, cost))
        else:
            assert sum(each for at, each in spent if now < at + longest) + cost > limit.amount


@given(limit=limits, asks=asks, cost=st.integers(1, 8))
def test_the_wait_is_exact(limit: Limit, asks: list[tuple[int, int]], cost: int) -> None:
    tally, now = Tally(limit), START
    for step, each in asks:
        now += step
        tally.take(now, each)
    wait = tally.wait(now, cost)
    if wait == NEVER:
        assert cost > limit.amount
    elif wait:
        assert tally.wait(now + wait - 1, cost) == 1
        assert tally.wait(now + wait, cost) == 0


def test_a_bucket_of_a_microsecond_is_exact() -> None:
    tally = Tally(Limit(1, 60, Algorithm.BUDGET))
    assert tally.take(START)
    assert tally.wait(START) == 60


def test_what_was_spent_in_one_bucket_is_one_sum() -> None:
    tally = Tally(Limit(1000, HOUR, Algorithm.BUDGET))
    for number in range(500):
        assert tally.take(START + number * BUCKET // 500)
    assert len(tally.state) == 8 + 2 + 16


def test_a_large_budget_stays_small() -> None:
    tally = Tally(Limit(LARGEST_BUDGET, HOUR, Algorithm.BUDGET))
    for number in range(300):
        assert tally.take(START + number * BUCKET // 2, 10**9)
    assert len(tally.state) <= 8 + 2 + 16 * (budget.BUCKETS + 1)


def test_reservations_expire_each_for_itself() -> None:
    state = reserve(reserve(b"", START, 4), START + 1, 3, OTHER)
    assert left(state, START + HOLD - 1) == 3
    assert left(state, START + HOLD) == 7
    assert left(state, START + HOLD + 1) == 10


def test_the_wait_counts_on_reservations_to_expire() -> None:
    state = reserve(reserve(b"", START, 4), START + 1, 3, OTHER)
    assert budget.count(state, TEN, 4, START + 2)[0] == HOLD - 2
    assert budget.count(state, TEN, 8, START + 2)[0] == HOLD - 1


def test_a_reservation_is_spent_once() -> None:
    state = reserve(b"", START, 4)
    spent = budget.spend(state, TEN, 4, START + 1, START + HOLD, TAG)
    assert spent is not None
    assert left(spent, START + HOLD) == 6
    assert budget.spend(spent, TEN, 4, START + 1, START + HOLD, TAG) is None


@pytest.mark.parametrize(
    ("cost", "now", "expires", "tag"),
    [(4, 1, HOLD, OTHER), (3, 1, HOLD, TAG), (4, 1, HOLD + 1, TAG), (4, HOLD, HOLD, TAG)],
    ids=["another's", "other units", "another expiry", "too late"],
)
def test_what_is_not_reserved_can_t_be_spent(cost: int, now: int, expires: int, tag: bytes) -> None:
    state = reserve(b"", START, 4)
    assert budget.spend(state, TEN, cost, START + now, START + expires, tag) is None
    assert budget.give_up(state, TEN, cost, START + now, START + expires, tag) == state


def test_units_given_back_come_out_of_their_own_bucket() -> None:
    state = b""
    for number in range(3):
        charged = budget.count(state, TEN, 2, START + number * BUCKET)[2]
        state = charged
    state = budget.give_back(state, TEN, 2, START + 3 * BUCKET, START + BUCKET)
    assert left(state, START + 3 * BUCKET) == 6
    assert left(state, START + HOUR + BUCKET) == 8
    assert budget.give_back(state, TEN, 2, START + 3 * BUCKET, START + BUCKET) == state


def test_a_budget_never_gives_back_more_than_was_spent() -> None:
    state = budget.count(b"", TEN, 2, START)[2]
    assert budget.give_back(state, TEN, 9, START, START) == b""


def test_a_clock_that_steps_back_revives_no_reservation() -> None:
    state = reserve(b"", START, 4)
    state = budget.count(state, TEN, 1, START + HOLD)[2]
    assert budget.spend(state, TEN, 4, START, START + HOLD, TAG) is None
    assert left(state, START) == 9


@pytest.mark.parametrize("state", [b"x", bytes(9), bytes(11), bytes(10) + b"?" * 22, b"\0" * 8 + b"\xff\xff"])
def test_a_state_of_an_unknown_shape_counts_as_spent(state: bytes) -> None:
    assert left(state, START) == 0
    assert 0 < budget.count(state, TEN, 1, START)[0] < HOUR + BUCKET


def test_merging_counts_both() -> None:
    one = reserve(budget.count(b"", TEN, 2, START)[2], START, 1)
    other = budget.count(reserve(b"", START + 1, 3, OTHER), TEN, 2, START + BUCKET)[2]
    for merged in (budget.merge(one, other, TEN, START + BUCKET), budget.merge(other, one, TEN, START + BUCKET)):
        assert left(merged, START + BUCKET) == 2
        assert budget.under_way(merged, TEN, START + BUCKET) == 4
        assert left(merged, START + HOUR + BUCKET) == 8


def test_a_longer_period_takes_effect_at_once() -> None:
    state = budget.count(b"", TEN, 2, START)[2]
    assert left(state, START + HOUR, Limit(10, 2 * HOUR, Algorithm.BUDGET)) == 8
    assert left(state, START + HOUR // 2, Limit(10, HOUR // 4, Algorithm.BUDGET)) == 10


def test_a_budget_may_be_large_for_long_but_not_beyond_counting() -> None:
    assert Limit(LARGEST_BUDGET, 180 * 24 * HOUR, Algorithm.BUDGET).amount == LARGEST_BUDGET
    with pytest.raises(ValueError, match="larger unit"):
        Limit(LARGEST_BUDGET + 1, 1, Algorithm.BUDGET)
