"""Spending: what is reserved comes back by itself, what was dispatched never does, and each moves on once (law 13)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

from dataclasses import replace

import pytest

from authguard.limits import Outcome, Receipt
from authguard.limits.decision import ANY_TIME, NEVER
from authguard.limits.plan import REPLAY_WINDOW
from authguard.testing.contract.races import at_once
from authguard.testing.contract.settling import receipt_of
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import HOLD, MINUTE, attempts, left, new_key, plan, reservations

BUCKET = MINUTE // 60
LAST = {
    "committed": (Outcome.DISPATCH, Outcome.COMMIT),
    "released": (Outcome.DISPATCH, Outcome.RELEASE),
    "cancelled": (Outcome.CANCEL,),
    "proved": (Outcome.DISPATCH, Outcome.PROVE),
    "proved after all": (Outcome.DISPATCH, Outcome.COMMIT, Outcome.PROVE),
}
FINAL = pytest.mark.parametrize("steps", LAST.values(), ids=list(LAST))


class Spending:
    """Tests of budgets whose units are reserved, dispatched, and committed or given back."""

    def test_a_reservation_counts_until_it_expires(self, tested: StoreUnderTest) -> None:
        counter = reservations("5/1m", cost=3)
        assert tested.store.decide(plan(counter)).reply.remaining == (2,)
        denied = tested.store.decide(plan(counter))
        assert (denied.retry_after, denied.reply.pending) == (HOLD, (3,))
        tested.advance(HOLD - 1)
        assert left(tested.store, counter) == 2
        tested.advance(1)
        assert left(tested.store, counter) == 5

    def test_an_expired_reservation_may_not_be_dispatched(self, tested: StoreUnderTest) -> None:
        counter = reservations("5/1m")
        in_time, late = (receipt_of(tested.store.decide(plan(counter))) for _ in range(2))
        tested.advance(HOLD - 1)
        assert tested.store.settle(in_time, Outcome.DISPATCH) is True
        tested.advance(1)
        assert tested.store.settle(late, Outcome.DISPATCH) is False
        assert left(tested.store, counter) == 4

    def test_what_was_dispatched_counts_for_a_period_and_at_most_a_bucket_more(self, tested: StoreUnderTest) -> None:
        counter = reservations("1/1m")
        tested.advance(BUCKET - tested.store.now() % BUCKET + 1)
        receipt = receipt_of(tested.store.decide(plan(counter)))
        tested.advance(HOLD // 2)
        assert tested.store.settle(receipt, Outcome.DISPATCH)
        tested.advance(MINUTE - 1)
        wait = tested.store.decide(plan(counter)).retry_after
        assert wait == BUCKET - 1
        tested.advance(wait - 1)
        assert left(tested.store, counter) == 0
        tested.advance(1)
        assert left(tested.store, counter) == 1

    def test_a_plan_without_a_hold_spends_at_once(self, tested: StoreUnderTest) -> None:
        counter = reservations("5/1m")
        decision = tested.store.decide(plan(counter, hold=0))
        assert decision.receipt is None
        tested.advance(MINUTE - 1)
        assert left(tested.store, counter) == 4

    @pytest.mark.parametrize(
        ("done", "outcome"),
        [
            *(((), outcome) for outcome in (Outcome.COMMIT, Outcome.RELEASE, Outcome.PROVE)),
            *(((Outcome.DISPATCH,), outcome) for outcome in (Outcome.DISPATCH, Outcome.CANCEL, Outcome.SUCCESS)),
        ],
    )
    def test_nothing_happens_out_of_turn(
        self, tested: StoreUnderTest, done: tuple[Outcome, ...], outcome: Outcome
    ) -> None:
        receipt = receipt_of(tested.store.decide(plan(reservations("5/1m", clears=True))))
        assert all(tested.store.settle(receipt, step) for step in done)
        before = tested.dump()
        assert tested.store.settle(receipt, outcome) is False
        assert tested.dump() == before

    @FINAL
    def test_what_has_ended_stays_as_it_is(self, tested: StoreUnderTest, steps: tuple[Outcome, ...]) -> None:
        counter = reservations("5/1m", clears=True)
        receipt = receipt_of(tested.store.decide(plan(counter)))
        tested.store.decide(plan(counter))
        assert [tested.store.settle(receipt, step) for step in steps] == [True] * len(steps)
        before = tested.dump()
        last = {Outcome.PROVE} if steps[-1] is Outcome.COMMIT else set()
        assert not any(tested.store.settle(receipt, outcome) for outcome in Outcome if outcome not in last)
        assert tested.dump() == before

    @pytest.mark.parametrize(
        ("name", "remaining"),
        [("committed", [4, 4]), ("released", [5, 5]), ("cancelled", [5, 5]), ("proved", [4, 5])],
    )
    def test_what_comes_back(self, tested: StoreUnderTest, name: str, remaining: list[int]) -> None:
        counters = reservations("5/1m"), reservations("5/1m", clears=True)
        receipt = receipt_of(tested.store.decide(plan(*counters)))
        tested.advance(HOLD - 1)
        for outcome in LAST[name]:
            assert tested.store.settle(receipt, outcome)
        assert [left(tested.store, counter) for counter in counters] == remaining
        tested.advance(1)
        assert [left(tested.store, counter) for counter in counters] == remaining

    def test_what_comes_back_late_was_gone_already(self, tested: StoreUnderTest) -> None:
        counter = reservations("5/1m", cost=2)
        receipt = receipt_of(tested.store.decide(replace(plan(counter), keep=10 * MINUTE)))
        tested.store.settle(receipt, Outcome.DISPATCH)
        tested.advance(MINUTE + BUCKET)
        tested.store.decide(plan(counter))
        assert tested.store.settle(receipt, Outcome.RELEASE) is True
        assert left(tested.store, counter) == 3

    def test_units_come_back_to_whom_they_belong(self, tested: StoreUnderTest) -> None:
        counter = reservations("9/1m", cost=2)
        receipts = [receipt_of(tested.store.decide(plan(counter))) for _ in range(4)]
        for receipt in receipts[:2]:
            tested.store.settle(receipt, Outcome.DISPATCH)
        tested.advance(10 * BUCKET)
        tested.store.settle(receipts[0], Outcome.RELEASE)
        tested.store.settle(receipts[2], Outcome.CANCEL)
        assert left(tested.store, counter) == 5
        assert tested.store.settle(receipts[3], Outcome.DISPATCH)
        tested.advance(MINUTE - 9 * BUCKET)
        assert left(tested.store, counter) == 7, "the last one dispatched counts on"

    def test_a_reservation_has_its_own_hold(self, tested: StoreUnderTest) -> None:
        counter = reservations("2/1m")
        long, short = (receipt_of(tested.store.decide(plan(counter, hold=hold))) for hold in (2 * HOLD, HOLD))
        tested.advance(HOLD)
        assert left(tested.store, counter) == 1
        assert tested.store.settle(short, Outcome.DISPATCH) is False
        assert tested.store.settle(long, Outcome.DISPATCH) is True

    def test_one_void_reservation_keeps_the_others_undispatched(self, tested: StoreUnderTest) -> None:
        kept, forgotten = reservations("5/1m"), reservations("5/1m")
        receipt = receipt_of(tested.store.decide(plan(kept, forgotten)))
        tested.store.forget([forgotten.key])
        before = tested.dump()
        assert tested.store.settle(receipt, Outcome.DISPATCH) is False
        assert tested.dump() == before

    def test_a_repetition_is_the_same_reservation_for_as_long_as_it_is_kept(self, tested: StoreUnderTest) -> None:
        counter = reservations("5/1m")
        asked = replace(plan(counter), keep=2 * MINUTE)
        first = tested.store.decide(asked)
        assert tested.store.decide(asked) == first
        tested.advance(HOLD - 1)
        assert tested.store.settle(receipt_of(first), Outcome.DISPATCH)
        tested.advance(2 * MINUTE - 1)
        assert tested.store.decide(asked) == first
        assert tested.store.settle(receipt_of(first), Outcome.DISPATCH) is False
        tested.advance(1)
        assert tested.store.decide(asked) != first

    def test_a_void_reservation_is_kept_no_longer(self, tested: StoreUnderTest) -> None:
        counter = reservations("5/1m")
        asked = replace(plan(counter), keep=2 * MINUTE)
        tested.store.decide(asked)
        tested.advance(HOLD)
        again = tested.store.decide(asked)
        assert tested.store.settle(receipt_of(again), Outcome.DISPATCH) is True

    def test_what_was_decided_for_good_is_kept_too(self, tested: StoreUnderTest) -> None:
        counter = attempts("5/1m")
        asked = replace(plan(counter, hold=0), keep=REPLAY_WINDOW + 7)
        first = tested.store.decide(asked)
        tested.advance(REPLAY_WINDOW + 6)
        assert tested.store.decide(asked) == first
        tested.advance(1)
        assert tested.store.decide(asked) != first

    @pytest.mark.parametrize("name", ["released", "cancelled"])
    def test_what_came_back_may_be_asked_for_again(self, tested: StoreUnderTest, name: str) -> None:
        counter = reservations("5/1m")
        asked = replace(plan(counter), keep=2 * MINUTE)
        old = receipt_of(tested.store.decide(asked))
        for outcome in LAST[name]:
            assert tested.store.settle(old, outcome)
        tested.advance(1)
        new = receipt_of(tested.store.decide(asked))
        assert left(tested.store, counter) == 4
        assert not any(tested.store.settle(old, outcome) for outcome in Outcome), "the old receipt is for the old one"
        assert tested.store.settle(new, Outcome.DISPATCH)
        assert tested.store.settle(old, Outcome.RELEASE) is False
        assert tested.store.settle(replace(new, at=ANY_TIME), Outcome.RELEASE) is True

    def test_a_receipt_for_other_counters_settles_nothing(self, tested: StoreUnderTest) -> None:
        counter, other = reservations("5/1m", clears=True), reservations("5/1m", clears=True)
        asked = plan(counter)
        tested.store.settle(receipt_of(tested.store.decide(asked)), Outcome.DISPATCH)
        before = tested.dump()
        wrong = Receipt(replace(asked, counters=(counter, other)), (0, 0), ANY_TIME)
        assert tested.store.settle(wrong, Outcome.PROVE) is False
        assert tested.dump() == before

    def test_a_cost_above_the_budget_tells_what_is_reserved(self, tested: StoreUnderTest) -> None:
        key = new_key()
        tested.store.decide(plan(reservations("9/1m", key, cost=4)))
        reply = tested.store.peek(plan(reservations("9/1m", key, cost=10))).reply
        assert (reply.waits, reply.remaining, reply.pending) == ((NEVER,), (5,), (4,))

    def test_what_stands_under_the_previous_key_moves_on_too(self, tested: StoreUnderTest) -> None:
        first, old, new = attempts(), reservations("9/1m", cost=2), reservations("9/1m", cost=2)
        receipt = receipt_of(tested.store.decide(plan(first, old)))
        both = replace(new, previous=(old.key,))
        tested.store.decide(plan(both))
        moved = replace(receipt, plan=replace(receipt.plan, counters=(first, both)))
        assert left(tested.store, both) == 5
        assert tested.store.settle(moved, Outcome.CANCEL)
        assert left(tested.store, both) == 7

    def test_of_many_who_hold_one_key_one_dispatches(self, tested: StoreUnderTest) -> None:
        counter = reservations("30/1h")
        asked = replace(plan(counter), keep=MINUTE)

        def send(_: int) -> bool:
            return tested.store.settle(receipt_of(tested.store.decide(asked)), Outcome.DISPATCH)

        assert sum(at_once(20, send)) == 1
        assert left(tested.store, counter) == 29

    def test_of_racing_ends_one_wins(self, tested: StoreUnderTest) -> None:
        counter = reservations("30/1h")
        receipt = receipt_of(tested.store.decide(plan(counter)))
        tested.store.settle(receipt, Outcome.DISPATCH)
        ends = (Outcome.COMMIT, Outcome.RELEASE)
        won = at_once(20, lambda i: tested.store.settle(receipt, ends[i % 2]))
        assert sum(won) == 1
        assert left(tested.store, counter) == (29 if any(won[::2]) else 30)

    def test_racing_reservations_never_exceed_the_budget(self, tested: StoreUnderTest) -> None:
        counter = reservations("10/1h")

        def spend(_: int) -> bool:
            decision = tested.store.decide(plan(counter))
            return decision.allowed and tested.store.settle(receipt_of(decision), Outcome.DISPATCH)

        assert sum(at_once(32, spend)) == 10
        assert left(tested.store, counter) == 0
