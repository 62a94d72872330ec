"""A layer apart: reserved first, given back where the rest denies, and never admitted without its charge."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.clock import SECOND, ManualClock
from authguard.errors import StoreError, StoreFull, StoreTimeout, StoreUnavailable
from authguard.limits import Counts, Mode, Outcome
from authguard.stores.lease import Leases
from authguard.stores.leasing import LeasingStore
from authguard.stores.memory import MemoryStore
from authguard.stores.sharded import ShardedStore
from authguard.testing import StoreUnderTest
from authguard.testing.contract import StoreContract
from authguard.testing.plans import ANN, MINUTE, SECRET, account, attempts, left, plan
from tests.stores.harnesses import dump_memory
from tests.stores.histories import histories
from tests.stores.lease_site import loose
from tests.stores.shard_pair import Failing, Pair, overall


@contextmanager
def sharded() -> Iterator[StoreUnderTest]:
    """Give a store over two in memory."""
    clock = ManualClock()
    places = MemoryStore(clock), MemoryStore(clock)
    yield StoreUnderTest(ShardedStore(*places), clock.advance, lambda: [dump_memory(place) for place in places])


class TestPassingOn(StoreContract):
    """What is not apart is as in the store behind."""

    @pytest.fixture
    def tested(self) -> Iterator[StoreUnderTest]:
        with sharded() as tested:
            yield tested


TestHistories = histories(sharded, examples=20)


def test_what_is_apart_is_counted_there_and_there_alone() -> None:
    pair, everybody, somebody = Pair(), overall(), attempts("9/1m")
    decisions = [pair.store.decide(plan(somebody, everybody)) for _ in range(4)]
    assert [decision.allowed for decision in decisions] == [True, True, True, False]
    assert decisions[2].remaining == {"attempts": 6, "overall": 0}
    assert (decisions[3].denied, decisions[3].retry_after) == (("overall",), MINUTE)
    assert decisions[3].remaining == {"attempts": 6, "overall": 0}
    assert (left(pair.rest, somebody), left(pair.rest, everybody)) == (6, 3)
    pair.clock.advance(MINUTE - 1)
    assert not pair.store.decide(plan(everybody, somebody)).allowed
    pair.clock.advance(1)
    assert pair.store.decide(plan(everybody, somebody)).allowed


def test_what_the_rest_denies_is_given_back_and_the_same_plan_is_charged_when_it_is_admitted() -> None:
    pair, everybody, somebody = Pair(), overall("9/5m"), attempts("1/5s")
    again = plan(somebody, everybody)
    assert pair.store.decide(plan(somebody, everybody)).allowed
    denied = pair.store.peek(again)
    for _ in range(20):
        denied = pair.store.decide(again)
        assert (denied.denied, denied.remaining, denied.reply.stamps) == (
            ("attempts",),
            {"attempts": 0, "overall": 8},
            (-1, -1),
        )
    assert pair.store.peek(again).reply == denied.reply
    pair.clock.advance(5 * SECOND)
    # Its reservation was given back before; now it must be a new one.
    assert pair.store.decide(again).allowed
    assert pair.store.decide(replace(again, nonce=bytes(16), counters=(everybody,))).remaining == {"overall": 6}


def test_both_full_is_told_of_both() -> None:
    pair, everybody, somebody = Pair(), overall("1/5m"), attempts("1/1m")
    pair.store.decide(plan(somebody, everybody))
    both = pair.store.decide(plan(somebody, everybody))
    assert (both.denied, both.retry_after) == (("attempts", "overall"), 5 * MINUTE)
    assert not both.waitable


def test_an_attempt_is_settled_in_the_rest_and_stays_charged_apart() -> None:
    pair, everybody, failed = Pair(), overall("9/1m"), account("2/1m")
    for outcome, standing in ((Outcome.SUCCESS, 0), (Outcome.FAILURE, 1)):
        receipt = pair.store.decide(plan(everybody, failed, client=ANN, guess=SECRET)).receipt
        assert receipt is not None
        assert pair.store.settle(receipt, outcome)
        assert not pair.store.settle(receipt, outcome)
        assert left(pair.store, failed) == 2 - standing
    assert left(pair.store, everybody) == 7


def test_an_attempt_is_settled_through_leases_too() -> None:
    pair, everybody, failed, leased = Pair(), overall("9/1m"), account("3/1m"), loose()
    store = LeasingStore(pair.store, Leases(pair.clock.now))
    # The first takes a block along, which the others are served from.
    for outcome, standing in ((Outcome.SUCCESS, 0), (Outcome.FAILURE, 1), (Outcome.PARTIAL, 1)):
        receipt = store.decide(plan(leased, failed, everybody, client=ANN, guess=outcome.encode()[:2])).receipt
        assert receipt is not None
        assert store.settle(receipt, outcome)
        assert not store.settle(receipt, Outcome.SUCCESS)
        assert left(pair.rest, failed) == 3 - standing
    assert (left(pair.rest, leased), left(pair.store, everybody)) == (990, 6)


def test_a_shadow_apart_never_denies() -> None:
    pair, everybody = Pair(), overall("1/1m", mode=Mode.SHADOW)
    asked = [pair.store.decide(plan(everybody, attempts())) for _ in range(3)]
    assert [(each.allowed, each.shadow_denied) for each in asked] == [(True, ()), *[(True, ("overall",))] * 2]


@pytest.mark.parametrize("late", [False, True])
def test_a_reservation_whose_giving_back_fails_denies_for_a_moment(late: bool) -> None:
    pair, everybody, full = Pair(), overall(), attempts("1/1h")
    pair.rest.decide(plan(full))
    pair.apart.fault, pair.apart.late = "settle", late
    for _ in range(3):
        assert pair.store.decide(plan(full, everybody)).denied[0] == "attempts"
    assert pair.store.decide(plan(attempts(), everybody)).allowed is late
    pair.clock.advance(MINUTE)
    assert pair.store.decide(plan(attempts(), everybody)).allowed


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("place", ["rest", "apart"])
def test_what_fails_on_the_way_admits_nobody_uncharged(place: str, late: bool) -> None:
    pair, everybody = Pair(), overall()
    broken: Failing = getattr(pair, place)
    broken.fault, broken.late = "decide", late
    with pytest.raises((StoreUnavailable, StoreTimeout)):
        pair.store.decide(plan(everybody, attempts()))
    broken.fault = ""
    # The charge apart stands wherever it may have been followed by one of the rest.
    standing = 0 if (place, late) == ("apart", False) else 1
    assert left(pair.apart, replace(everybody, counts=Counts.FAILURES)) == 3 - standing


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(1, 3), st.integers(0, 40)), max_size=40))
def test_it_decides_as_one_store_would(steps: list[tuple[int, int, int]]) -> None:
    pair = Pair()
    whole = MemoryStore(pair.clock)
    everybody, people = overall("5/1m"), [attempts("2/30s", layer=f"p{number}") for number in range(3)]
    for who, cost, seconds in steps:
        asked = plan(people[who], replace(everybody, cost=cost), hold=0)
        assert pair.store.peek(asked).reply[:5] == whole.peek(asked).reply[:5]
        assert pair.store.decide(asked).reply == whole.decide(asked).reply
        pair.clock.advance(seconds * SECOND)


def test_what_the_rest_has_no_room_for_is_given_back() -> None:
    pair, everybody = Pair(), overall()
    pair.rest.fault, pair.rest.error = "decide", StoreFull
    for _ in range(20):
        with pytest.raises(StoreFull):
            pair.store.decide(plan(attempts(), everybody))
    assert left(pair.apart, replace(everybody, counts=Counts.FAILURES)) == 3


@pytest.mark.parametrize(("error", "calls"), [(StoreUnavailable, 3), (StoreTimeout, 3), (StoreFull, 20)])
def test_a_dead_place_apart_costs_nothing_though_the_rest_lives(error: type[StoreError], calls: int) -> None:
    pair, everybody = Pair(rest=1), overall("99/1m")
    pair.apart.fault, pair.apart.error = "decide", error

    def ask(times: int) -> None:
        for _ in range(times):
            with pytest.raises(error if pair.apart.calls < calls else StoreError):
                pair.store.decide(plan(attempts(), everybody))
            assert pair.store.decide(plan(attempts())).allowed

    ask(20)
    assert pair.apart.calls == calls
    pair.clock.advance(SECOND)
    ask(20)
    assert pair.apart.calls == calls + (20 if error is StoreFull else 1)
    pair.clock.advance(SECOND)
    pair.apart.fault = ""
    assert all(pair.store.decide(plan(attempts(), everybody)).allowed for _ in range(5))


def test_a_dead_place_apart_is_not_looked_at_either() -> None:
    pair, everybody = Pair(rest=1), overall("99/1m")
    pair.apart.fault = "peek"
    for _ in range(20):
        with pytest.raises(StoreUnavailable):
            pair.store.peek(plan(attempts(), everybody))
        assert pair.store.peek(plan(attempts())).allowed
    assert pair.apart.calls == 3
    pair.clock.advance(SECOND)
    pair.apart.fault = ""
    assert pair.store.peek(plan(attempts(), everybody)).allowed


def test_a_race_leaves_exactly_the_limit() -> None:
    pair, everybody, full = Pair(), overall("50/1h"), attempts("1/1h")
    pair.rest.decide(plan(full))

    def ask(number: int) -> bool:
        return pair.store.decide(plan(full if number % 2 else attempts(), everybody)).allowed

    with ThreadPoolExecutor(16) as threads:
        admitted = sum(threads.map(ask, range(200)))
    # Reservations of the denied half may have kept some out while they stood; nobody else is let in for it.
    assert admitted <= 50
    admitted += sum(ask(0) for _ in range(50))
    assert admitted == 50
    assert not ask(0)


def test_both_places_forget_and_close() -> None:
    pair, everybody, somebody = Pair(), overall(), attempts()
    pair.store.decide(plan(everybody, somebody))
    assert pair.store.forget([everybody.key, somebody.key]) == 2
    assert pair.store.now() == pair.clock.now()
    assert pair.store.check() == ()
    pair.store.decide(plan(everybody, somebody))
    pair.store.close()
    assert (len(pair.rest), len(pair.apart)) == (0, 0)
