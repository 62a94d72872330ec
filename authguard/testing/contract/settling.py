"""Settling: an attempt is charged first and settled once, and only what it charged itself is given back (law 3)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

import pytest

from authguard.limits import Decision, Outcome, Receipt
from authguard.limits.plan import REPLAY_WINDOW
from authguard.limits.record import ATTEMPTS
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import (
    ANN,
    BOB,
    HOLD,
    OTHER_SECRET,
    SECRET,
    account,
    attempts,
    distinct,
    failures,
    left,
    new_key,
    plan,
    spend,
)


def receipt_of(decision: Decision) -> Receipt:
    """Return the receipt of an admitted attempt."""
    assert decision.receipt is not None
    return decision.receipt


class Settling:
    """Tests of what becomes of a charge."""

    @pytest.mark.parametrize(("outcome", "remaining"), [("failure", 4), ("partial", 5), ("success", 5)])
    def test_only_failures_are_given_back(self, tested: StoreUnderTest, outcome: str, remaining: int) -> None:
        counters = attempts("5/1m"), failures("5/1m"), account("5/1m"), distinct("5/1m", ANN)
        receipt = receipt_of(tested.store.decide(plan(*counters, client=ANN, guess=SECRET)))
        assert [left(tested.store, counter) for counter in counters] == [4, 4, 4, 4]
        assert tested.store.settle(receipt, Outcome(outcome))
        assert [left(tested.store, counter) for counter in counters] == [4, remaining, remaining, remaining]

    @pytest.mark.parametrize("first", sorted(ATTEMPTS))
    @pytest.mark.parametrize("second", list(Outcome))
    def test_a_receipt_settles_once(self, tested: StoreUnderTest, first: Outcome, second: Outcome) -> None:
        id_, ip = account("9/1m"), failures("9/1m")
        tested.store.decide(plan(id_, ip, client=ANN, guess=OTHER_SECRET))
        receipt = receipt_of(tested.store.decide(plan(id_, ip, client=ANN, guess=SECRET)))
        assert tested.store.settle(receipt, first) is True
        tested.store.decide(plan(id_, ip, client=ANN, guess=SECRET))
        before = tested.dump()
        assert tested.store.settle(receipt, second) is False
        assert tested.dump() == before

    def test_a_late_settle_changes_nothing(self, tested: StoreUnderTest) -> None:
        counter = account("5/1m")
        receipt = receipt_of(tested.store.decide(plan(counter, client=ANN)))
        tested.advance(HOLD - 1)
        assert left(tested.store, counter) == 4
        tested.advance(1)
        assert tested.store.settle(receipt, Outcome.SUCCESS) is False
        assert left(tested.store, counter) == 4

    def test_a_settle_in_the_last_moment_counts(self, tested: StoreUnderTest) -> None:
        counter = account("5/1m")
        receipt = receipt_of(tested.store.decide(plan(counter, client=ANN)))
        tested.advance(HOLD - 1)
        assert tested.store.settle(receipt, Outcome.SUCCESS) is True
        assert left(tested.store, counter) == 5

    def test_a_receipt_that_was_never_given_settles_nothing(self, tested: StoreUnderTest) -> None:
        counter = account("5/1m")
        tested.store.decide(plan(counter, client=ANN))
        forged = Receipt(plan(counter, client=ANN), (tested.store.now(),))
        assert tested.store.settle(forged, Outcome.SUCCESS) is False
        assert left(tested.store, counter) == 4

    def test_success_clears_the_same_clients_failures_where_counters_clear(self, tested: StoreUnderTest) -> None:
        id_, ip = account("9/1m"), failures("9/1m")
        for client in (ANN, ANN, BOB):
            tested.store.settle(receipt_of(tested.store.decide(plan(id_, ip, client=client))), Outcome.FAILURE)
        tested.advance(1)
        tested.store.settle(receipt_of(tested.store.decide(plan(id_, ip, client=ANN))), Outcome.SUCCESS)
        assert left(tested.store, id_) == 8, "what Bob failed stays"
        assert left(tested.store, ip) == 6, "an address is never cleared"

    def test_a_partial_success_clears_nothing(self, tested: StoreUnderTest) -> None:
        id_ = account("9/1m")
        tested.store.settle(receipt_of(tested.store.decide(plan(id_, client=ANN))), Outcome.FAILURE)
        tested.store.settle(receipt_of(tested.store.decide(plan(id_, client=ANN))), Outcome.PARTIAL)
        assert left(tested.store, id_) == 8

    def test_an_unsettled_attempt_stays_a_failure_and_is_pending_until_its_hold_ends(
        self, tested: StoreUnderTest
    ) -> None:
        counter = failures("1/1m")
        spend(tested.store, counter, 1)
        tested.advance(HOLD - 1)
        waiting = tested.store.decide(plan(counter))
        assert waiting.reply.pending == (1,)
        assert waiting.waitable
        tested.advance(1)
        given_up = tested.store.decide(plan(counter))
        assert given_up.reply.pending == (0,)
        assert not given_up.waitable

    def test_a_failed_attempt_is_not_pending(self, tested: StoreUnderTest) -> None:
        counter = failures("1/1m")
        tested.store.settle(receipt_of(tested.store.decide(plan(counter))), Outcome.FAILURE)
        assert tested.store.decide(plan(counter)).reply.pending == (0,)

    def test_a_member_is_given_back_only_by_its_own_attempt(self, tested: StoreUnderTest) -> None:
        key = new_key()
        failed = receipt_of(tested.store.decide(plan(distinct("2/1m", b"member1", key))))
        tested.store.settle(failed, Outcome.FAILURE)
        tested.advance(1)
        passed = receipt_of(tested.store.decide(plan(distinct("2/1m", b"member1", key))))
        tested.store.settle(passed, Outcome.SUCCESS)
        assert left(tested.store, distinct("2/1m", b"member1", key)) == 1, "the failure before it still counts"

    def test_a_repeated_plan_counts_once(self, tested: StoreUnderTest) -> None:
        counter = attempts("5/1m")
        asked = plan(counter, hold=0)
        first = tested.store.decide(asked)
        tested.advance(REPLAY_WINDOW - 1)
        assert tested.store.decide(asked) == first
        assert left(tested.store, counter) == 4

    def test_a_plan_repeated_after_its_nonce_was_forgotten_is_a_new_one(self, tested: StoreUnderTest) -> None:
        counter = attempts("5/1m")
        asked = plan(counter, hold=0)
        tested.store.decide(asked)
        tested.advance(REPLAY_WINDOW)
        assert tested.store.decide(asked).reply.remaining == (3,)

    def test_a_denied_plan_may_be_asked_again(self, tested: StoreUnderTest) -> None:
        full = attempts("1/1m")
        spend(tested.store, full, 1)
        asked = plan(full)
        assert not tested.store.decide(asked).allowed
        tested.advance(60_000_000)
        assert tested.store.decide(asked).allowed

    def test_a_repetition_after_the_settle_undoes_nothing(self, tested: StoreUnderTest) -> None:
        counter = failures("5/1m")
        asked = plan(counter)
        first = tested.store.decide(asked)
        assert tested.store.settle(receipt_of(first), Outcome.SUCCESS)
        again = tested.store.decide(asked)
        assert again == first
        assert left(tested.store, counter) == 5
        assert tested.store.settle(receipt_of(again), Outcome.FAILURE) is False
