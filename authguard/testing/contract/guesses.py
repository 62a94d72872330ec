"""Guesses: the same secret tried again for the same account by the same client joins the charge that stands (law 4)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

from authguard.limits import Mode, Outcome
from authguard.testing.contract.settling import receipt_of
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import ANN, BOB, MINUTE, OTHER_SECRET, SECRET, account, attempts, failures, left, plan


class Guesses:
    """Tests of one guess, one charge."""

    def test_the_same_guess_is_charged_once_however_often_it_is_tried(self, tested: StoreUnderTest) -> None:
        id_, ip, tries = account("5/1m"), failures("20/1m"), attempts("30/1m")
        for i in range(10):
            decision = tested.store.decide(plan(id_, ip, tries, client=ANN, guess=SECRET))
            assert decision.allowed
            assert decision.reply.joined is (i > 0)
            assert tested.store.settle(receipt_of(decision), Outcome.FAILURE)
            tested.advance(1)
        assert [left(tested.store, counter) for counter in (id_, ip, tries)] == [4, 19, 20], "attempts always count"

    def test_another_guess_or_another_client_is_charged(self, tested: StoreUnderTest) -> None:
        id_ = account("9/1m")
        for client, guess in ((ANN, SECRET), (ANN, OTHER_SECRET), (BOB, SECRET)):
            assert not tested.store.decide(plan(id_, client=client, guess=guess)).reply.joined
        assert left(tested.store, id_) == 6

    def test_an_unknown_guess_never_joins(self, tested: StoreUnderTest) -> None:
        id_ = account("9/1m")
        for _ in range(2):
            assert not tested.store.decide(plan(id_, client=ANN)).reply.joined
        assert left(tested.store, id_) == 7

    def test_a_guess_joins_only_where_counters_join(self, tested: StoreUnderTest) -> None:
        ip = failures("9/1m")
        for _ in range(2):
            assert not tested.store.decide(plan(ip, client=ANN, guess=SECRET)).reply.joined

    def test_a_guess_joins_even_when_the_account_is_full(self, tested: StoreUnderTest) -> None:
        id_ = account("2/1m")
        for guess in (SECRET, OTHER_SECRET):
            tested.store.decide(plan(id_, client=ANN, guess=guess))
        assert tested.store.decide(plan(id_, client=ANN, guess=SECRET)).allowed
        assert not tested.store.decide(plan(id_, client=BOB, guess=SECRET)).allowed, "a stranger gains nothing"

    def test_a_joined_guess_is_denied_by_a_full_counter_of_attempts(self, tested: StoreUnderTest) -> None:
        id_, tries = account("9/1m"), attempts("2/1m")
        for _ in range(2):
            assert tested.store.decide(plan(id_, tries, client=ANN, guess=SECRET)).allowed
        assert tested.store.decide(plan(id_, tries, client=ANN, guess=SECRET)).denied == ("attempts",)

    def test_a_repeated_plan_gets_the_whole_reply_again(self, tested: StoreUnderTest) -> None:
        id_, shadow = account("5/1m"), attempts("1/1m", layer="shadow", mode=Mode.SHADOW)
        tested.store.decide(plan(id_, shadow, client=ANN, guess=SECRET))
        asked = plan(id_, attempts("9/1m"), shadow, client=ANN, guess=SECRET)
        first = tested.store.decide(asked)
        assert first.reply.joined
        assert first.reply.waits[2] > 0
        tested.advance(1)
        assert tested.store.decide(asked) == first

    def test_a_guess_no_longer_joins_once_its_charge_is_gone(self, tested: StoreUnderTest) -> None:
        id_ = account("5/1m")
        tested.store.decide(plan(id_, client=ANN, guess=SECRET))
        tested.advance(MINUTE - 1)
        assert tested.store.decide(plan(id_, client=ANN, guess=SECRET)).reply.joined
        tested.advance(1)
        assert not tested.store.decide(plan(id_, client=ANN, guess=SECRET)).reply.joined

    def test_a_joined_attempt_gives_nothing_back_but_its_success_clears(self, tested: StoreUnderTest) -> None:
        id_, ip = account("9/1m"), failures("9/1m")
        first = tested.store.decide(plan(id_, ip, client=ANN, guess=SECRET))
        second = tested.store.decide(plan(id_, ip, client=ANN, guess=SECRET))
        assert tested.store.settle(receipt_of(second), Outcome.PARTIAL)
        assert [left(tested.store, counter) for counter in (id_, ip)] == [8, 8]
        third = tested.store.decide(plan(id_, ip, client=ANN, guess=SECRET))
        assert tested.store.settle(receipt_of(third), Outcome.SUCCESS)
        assert [left(tested.store, counter) for counter in (id_, ip)] == [9, 8]
        assert tested.store.settle(receipt_of(first), Outcome.SUCCESS)
        assert [left(tested.store, counter) for counter in (id_, ip)] == [9, 9]
