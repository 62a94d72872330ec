"""Limits that change while their counters live: what is new counts at once, and nothing ever raises."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.limits import Algorithm, Limit
from authguard.limits.counting import NEVER
from authguard.limits.limit import BURSTING
from tests.limits.histories import CALLS, limits
from tests.limits.naive import LEFT
from tests.limits.tally import SECOND, START, Tally

FREE = Limit(60, 60 * SECOND, Algorithm.TOKEN_BUCKET, 10)
PRO = Limit(1000, 60 * SECOND, Algorithm.TOKEN_BUCKET, 200)
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND


@pytest.mark.parametrize("algorithm", LEFT)
@given(data=st.data(), calls=CALLS)
def test_any_change_counts_at_once(algorithm: Algorithm, data: st.DataObject, calls: list[tuple[int, int]]) -> None:
    tally, now = Tally(data.draw(limits(algorithm))), START
    for step, cost in calls:
        now += step
        tally.limit = data.draw(limits(algorithm))
        wait, left = tally.look(now, cost)[:2]
        assert 0 <= left <= tally.limit.capacity
        assert (wait == 0) == (cost <= left)
        assert (wait == NEVER) == (cost > tally.limit.capacity)
        if wait > 0:
            assert tally.wait(now + wait, cost) == 0
            # A store forgets a state when the limit by which it was charged said so, be it before the new limit would.
            assert tally.wait(now + wait - 1, cost) == 1 or now + wait > tally.expires
        tally.take(now, cost)


@pytest.mark.parametrize("algorithm", [algorithm for algorithm in LEFT if algorithm is not Algorithm.BACKOFF])
def test_raised_gives_the_difference_and_lowered_takes_it(algorithm: Algorithm) -> None:
    tally = Tally(Limit(5, MINUTE, algorithm))
    assert tally.take(START, 5)
    tally.limit = Limit(8, MINUTE, algorithm)
    assert tally.left(START) == 3
    tally.limit = Limit(2, MINUTE, algorithm)
    assert tally.left(START) == 0


def test_a_tier_change_leaves_no_stale_bucket() -> None:
    tally = Tally(FREE)
    assert tally.take(START, 10)
    assert tally.wait(START) == SECOND
    tally.limit = PRO
    assert tally.left(START) == 190
    assert tally.take(START, 190)
    tally.limit = FREE
    # A bucket made smaller overflows: it is full, not in debt for hours.
    assert tally.wait(START) == SECOND


@pytest.mark.parametrize("algorithm", sorted(BURSTING))
def test_a_bucket_whose_unit_changed_keeps_its_charges_whole(algorithm: Algorithm) -> None:
    tally = Tally(Limit(4, MINUTE, algorithm))
    assert tally.take(START, 3)
    for period in (HOUR, 7, MINUTE):
        tally.limit = Limit(4, period, algorithm)
        assert tally.left(START) == 1


@pytest.mark.parametrize("algorithm", [Algorithm.FIXED_WINDOW, Algorithm.SLIDING_COUNTER])
def test_a_shorter_period_forgets_within_two_windows(algorithm: Algorithm) -> None:
    tally = Tally(Limit(5, HOUR, algorithm))
    assert tally.take(START, 5)
    tally.limit = Limit(5, MINUTE, algorithm)
    assert (tally.left(START + 1), tally.left(START + 2 * MINUTE)) == (0, 5)


@pytest.mark.parametrize("algorithm", [Algorithm.FIXED_WINDOW, Algorithm.SLIDING_COUNTER])
def test_a_longer_period_keeps_what_it_knows(algorithm: Algorithm) -> None:
    tally = Tally(Limit(5, MINUTE, algorithm))
    assert tally.take(START + 1, 5)
    tally.limit = Limit(5, HOUR, algorithm)
    assert tally.left(START + 30 * SECOND) == 0


def test_a_longer_period_adds_up_the_windows_that_it_spans() -> None:
    tally = Tally(Limit(500, MINUTE, Algorithm.SLIDING_COUNTER))
    assert tally.take(START, 200)
    assert tally.take(START + MINUTE, 200)
    tally.limit = Limit(500, 6 * MINUTE, Algorithm.SLIDING_COUNTER)
    assert tally.left(START + MINUTE) == 100


def test_a_ladder_made_longer_or_shorter_goes_on_from_where_it_is() -> None:
    tally = Tally(Limit.backoff(0, 10, 20, 400))
    for at in (0, 10, 30):
        assert tally.take(START + at)
    assert tally.wait(START + 30) == 400
    tally.limit = Limit.backoff(0, 5)
    assert tally.wait(START + 30) == 5
    tally.limit = Limit.backoff(0, 1, 2, 50, 90)
    assert tally.wait(START + 30) == 50


@pytest.mark.parametrize("algorithm", LEFT)
@given(data=st.data(), junk=st.binary(min_size=1, max_size=40), cost=st.integers(1, 7))
def test_a_state_that_nobody_wrote_never_raises(
    algorithm: Algorithm, data: st.DataObject, junk: bytes, cost: int
) -> None:
    limit = data.draw(limits(algorithm))
    tally = Tally(limit)
    tally.state, tally.expires = junk, START + 1
    assert 0 <= tally.left(START) <= limit.capacity
    tally.look(START, cost)


SIZES = {Algorithm.FIXED_WINDOW: 16, Algorithm.SLIDING_COUNTER: 32, Algorithm.BACKOFF: 16} | dict.fromkeys(
    sorted(BURSTING), 24
)


@pytest.mark.parametrize(("algorithm", "size"), SIZES.items())
@given(data=st.data(), junk=st.binary(min_size=1, max_size=40))
def test_a_state_of_another_length_counts_as_full(
    algorithm: Algorithm, size: int, data: st.DataObject, junk: bytes
) -> None:
    limit = data.draw(limits(algorithm))
    tally = Tally(limit)
    tally.state, tally.expires = junk, START + 1
    if len(junk) != size and any(limit.gaps or [1]):
        assert tally.left(START) == (limit.gaps[-1] == 0 if limit.gaps else 0)


@given(
    period=st.integers(1, 10**12), amount=st.integers(1, 10**6), burst=st.integers(1, 10**6), used=st.integers(1, 10**6)
)
def test_buckets_are_exact_to_the_microsecond(period: int, amount: int, burst: int, used: int) -> None:
    if max(amount, burst) * period >= 2**53 or used > burst:
        return
    tally = Tally(Limit(amount, period, Algorithm.TOKEN_BUCKET, burst))
    assert tally.take(START, used)
    assert tally.wait(START, burst) == ceil(Fraction(used * period, amount))
