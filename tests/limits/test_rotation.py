"""Rotation of the pepper: a counter kept under two keys counts what stands under both."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.limits import Algorithm, Counter, Limit, Outcome
from authguard.limits.counting import Count
from authguard.limits.meters import meter_of
from tests.limits.histories import limits
from tests.limits.ledger import Ledger, attempts, distinct, failures, key, plan, tag
from tests.limits.naive import LEFT
from tests.limits.tally import SECOND, START

WINDOWED = [Algorithm.SLIDING_LOG, Algorithm.FIXED_WINDOW, Algorithm.SLIDING_COUNTER]
LEAKING = [Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET, Algorithm.GCRA]


def look(counter: Counter, state: bytes, now: int) -> Count:
    """Return what ``counter`` says of ``state``."""
    return meter_of(counter).count(state, counter, plan(counter), now)


def split(counter: Counter, calls: list[tuple[int, int]], sides: list[bool]) -> tuple[bytes, bytes, bytes, int]:
    """Charge one state with every call and two with those of one side each; return all, and the last instant."""
    whole, parts, now = b"", [b"", b""], START
    for (step, cost), side in zip(calls, sides, strict=False):
        now += step
        one = replace(counter, cost=cost)
        wait, _, charged, *_ = look(one, whole, now)
        if not wait:
            whole = charged
            parts[side] = look(one, parts[side], now)[2]
    return whole, parts[0], parts[1], now


SIDES = st.lists(st.booleans(), min_size=25, max_size=25)
FORWARD = st.lists(st.tuples(st.integers(0, 12), st.integers(1, 3)), min_size=1, max_size=25)


@pytest.mark.parametrize("algorithm", WINDOWED)
@given(data=st.data(), calls=FORWARD, sides=SIDES, later=st.integers(0, 130))
def test_two_counts_are_one(
    algorithm: Algorithm, data: st.DataObject, calls: list[tuple[int, int]], sides: list[bool], later: int
) -> None:
    counter = attempts(1, data.draw(limits(algorithm)))
    whole, one, other, now = split(counter, calls, sides)
    for a, b in ((one, other), (other, one)):
        merged = meter_of(counter).merge(a, b, counter, now) if a and b else a or b
        for cost in (1, 2, 5):
            told = replace(counter, cost=cost)
            assert look(told, merged, now + later)[:2] == look(told, whole, now + later)[:2]


@pytest.mark.parametrize("algorithm", LEAKING)
@given(data=st.data(), costs=st.lists(st.integers(1, 3), min_size=1, max_size=6), sides=SIDES, later=st.integers(0, 60))
def test_two_buckets_filled_at_one_instant_are_one(
    algorithm: Algorithm, data: st.DataObject, costs: list[int], sides: list[bool], later: int
) -> None:
    counter = attempts(1, data.draw(limits(algorithm)))
    whole, one, other, now = split(counter, [(0, cost) for cost in costs], sides)
    merged = meter_of(counter).merge(one, other, counter, now) if one and other else one or other
    assert look(counter, merged, now + later) == look(counter, whole, now + later)


@pytest.mark.parametrize("algorithm", LEAKING)
@given(data=st.data(), calls=FORWARD, sides=SIDES, later=st.integers(0, 60))
def test_two_buckets_hold_no_less_than_either_and_no_more_than_one(
    algorithm: Algorithm, data: st.DataObject, calls: list[tuple[int, int]], sides: list[bool], later: int
) -> None:
    counter = attempts(1, data.draw(limits(algorithm)))
    whole, one, other, now = split(counter, calls, sides)
    if one and other:
        merged = meter_of(counter).merge(one, other, counter, now)
        lefts = [look(counter, state, now + later)[1] for state in (whole, merged, one, other)]
        assert lefts[0] <= lefts[1] <= min(lefts[2:])


def test_two_ladders_are_one() -> None:
    counter = attempts(1, Limit.backoff(0, 10, 20, 400))
    (_, _, one, *_), meter = look(counter, b"", START), meter_of(counter)
    other = look(counter, b"", START + 10)[2]
    merged = meter.merge(one, other, counter, START + 10)
    assert look(counter, merged, START + 10)[0] == 20
    assert look(counter, meter.merge(other, one, counter, START + 10), START + 10)[0] == 20


@pytest.mark.parametrize("algorithm", LEFT)
@given(data=st.data(), calls=FORWARD, sides=SIDES)
def test_merging_never_raises_and_never_forgets(
    algorithm: Algorithm, data: st.DataObject, calls: list[tuple[int, int]], sides: list[bool]
) -> None:
    counter = attempts(1, data.draw(limits(algorithm)))
    _, one, other, now = split(counter, calls, sides)
    changed = replace(counter, limit=data.draw(limits(algorithm)))
    for told in (counter, changed):
        if one and other:
            merged = meter_of(told).merge(one, other, told, now)
            stricter = look(told, merged, now)[1] <= min(look(told, state, now)[1] for state in (one, other))
            # On a ladder whose gaps get shorter, more charges lead to a shorter gap.
            assert stricter or list(told.limit.gaps) != sorted(told.limit.gaps)


def test_a_charge_moves_what_stood_under_the_old_key() -> None:
    ledger, limit = Ledger(), Limit(2, 60 * SECOND)
    ledger.decide(plan(attempts(1, limit)), START)
    turned = replace(attempts(2, limit), previous=(key(1),))
    assert ledger.decide(plan(turned), START + 1).allowed
    assert list(ledger.states) == [key(2)]
    assert ledger.decide(plan(turned), START + 2).retry_after == 60 * SECOND - 2


def test_an_attempt_charged_under_the_old_key_is_settled_under_the_new() -> None:
    ledger = Ledger()
    old = (failures(1, Limit(3, 60 * SECOND)), distinct(2, 3, 60 * SECOND, tag(1)))
    receipt = ledger.decide(plan(*old, client=tag(1)), START).receipt
    new = tuple(replace(c, key=key(10 + i), previous=(c.key,)) for i, c in enumerate(old))
    ledger.decide(plan(*new, client=tag(2)), START + 1)
    assert receipt is not None
    ledger.settle(replace(receipt, plan=replace(receipt.plan, counters=new)), Outcome.SUCCESS, START + 2)
    assert ledger.left(START + 2, *new) == (2, 2)
