"""Every algorithm against its naive model, over random histories in which clocks step back too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.limits import Algorithm, Limit
from authguard.limits.counting import NEVER
from tests.limits.histories import CALLS, limits
from tests.limits.naive import LEFT, Naive
from tests.limits.tally import START, Tally


@pytest.mark.parametrize("algorithm", LEFT)
@given(data=st.data(), calls=CALLS, offset=st.integers(0, 60))
def test_same_as_the_naive_model(
    algorithm: Algorithm, data: st.DataObject, calls: list[tuple[int, int]], offset: int
) -> None:
    limit = data.draw(limits(algorithm))
    tally, naive, now = Tally(limit), Naive(limit), START + offset
    for step, cost in calls:
        now += step
        assert tally.left(now) == naive.left(now)
        assert_wait_is_exact(tally, naive, now, cost)
        then_left = tally.look(now, cost)[5]
        assert tally.take(now, cost) == naive.take(now, cost)
        assert then_left == naive.left(now)


def assert_wait_is_exact(tally: Tally, naive: Naive, now: int, cost: int) -> None:
    """Admitted at the instant that the wait names, by the model as well; denied one microsecond before."""
    wait = tally.wait(now, cost)
    if cost > naive.limit.capacity:
        assert wait == NEVER
        return
    assert (wait == 0) == (cost <= naive.left(now))
    if wait:
        opens = now + wait
        assert (naive.left(opens) >= cost, tally.wait(opens, cost)) == (True, 0)
        assert (naive.left(opens - 1) >= cost, tally.wait(opens - 1, cost)) == (False, 1)


@pytest.mark.parametrize("algorithm", [Algorithm.SLIDING_LOG, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_COUNTER])
@given(data=st.data(), calls=CALLS, amounts=st.lists(st.integers(1, 8), min_size=25, max_size=25))
def test_an_amount_raised_or_lowered_counts_at_once(
    algorithm: Algorithm, data: st.DataObject, calls: list[tuple[int, int]], amounts: list[int]
) -> None:
    limit = data.draw(limits(algorithm))
    tally, naive, now = Tally(limit), Naive(limit), START
    for (step, cost), amount in zip(calls, amounts, strict=False):
        now += step
        tally.limit = naive.limit = replace(limit, amount=amount)
        assert tally.left(now) == naive.left(now)
        assert_wait_is_exact(tally, naive, now, cost)
        assert tally.take(now, cost) == naive.take(now, cost)


@given(limit=limits(), calls=CALLS)
def test_a_state_past_its_lifetime_says_nothing(limit: Limit, calls: list[tuple[int, int]]) -> None:
    tally, now = Tally(limit), START
    for step, cost in calls:
        now += step
        tally.take(now, cost)
    lasting, empty = Tally(limit), Tally(limit)
    lasting.state, lasting.expires = tally.state, tally.expires + 10**9
    for later in (0, 1, 59):
        for cost in range(1, limit.capacity + 2):
            admitted = lasting.look(tally.expires + later, cost)
            assert admitted[:2] == empty.look(tally.expires + later, cost)[:2]
            assert admitted[3:] == empty.look(tally.expires + later, cost)[3:]


@given(limit=limits(), calls=CALLS)
def test_a_state_says_something_until_its_lifetime_ends(limit: Limit, calls: list[tuple[int, int]]) -> None:
    tally, now = Tally(limit), START
    for step, cost in calls:
        now += step
        tally.take(now, cost)
    if tally.state and limit.algorithm is not Algorithm.BACKOFF:
        assert tally.left(tally.expires - 1) < limit.capacity
