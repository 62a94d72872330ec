"""Races: whatever threads do at once, exactly the limit stands, and everything counts once (laws 2, 3 and 10)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from authguard.limits import Decision, Outcome
from authguard.testing.contract.settling import receipt_of
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import ANN, SECRET, account, attempts, distinct, failures, left, new_key, plan, spend

T = TypeVar("T")


def at_once(threads: int, action: Callable[[int], T]) -> list[T]:
    """Return what ``action`` returned in each of ``threads`` threads that begin together."""
    barrier = Barrier(threads, timeout=60)

    def run(number: int) -> T:
        barrier.wait()
        return action(number)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


class Races:
    """Tests with threads."""

    def test_64_threads_leave_exactly_the_limit(self, tested: StoreUnderTest) -> None:
        counters = attempts("100/1h"), failures("40/1h")

        def race(_: int) -> list[Decision]:
            return [tested.store.decide(plan(*counters)) for _ in range(3)]

        decisions = [decision for each in at_once(64, race) for decision in each]
        assert sum(decision.allowed for decision in decisions) == 40
        assert [left(tested.store, counter) for counter in counters] == [60, 0]
        assert sorted(decision.reply.remaining for decision in decisions if decision.allowed) == [
            (60 + i, i) for i in range(40)
        ]

    def test_racing_members_leave_exactly_the_limit(self, tested: StoreUnderTest) -> None:
        key = new_key()
        decisions = at_once(32, lambda i: tested.store.decide(plan(distinct("8/1h", b"member" + bytes([i % 16]), key))))
        counted = {i % 16 for i, decision in enumerate(decisions) if decision.allowed}
        assert len(counted) == 8
        assert [decision.allowed for decision in decisions] == [i % 16 in counted for i in range(32)]

    def test_twenty_parallel_valid_logins_of_one_client_all_pass(self, tested: StoreUnderTest) -> None:
        id_, ip, tries = account("5/15m"), failures("20/15m"), attempts("30/15m")
        before_any_is_settled = Barrier(20, timeout=60)

        def log_in(_: int) -> bool:
            decision = tested.store.decide(plan(id_, ip, tries, client=ANN, guess=SECRET))
            before_any_is_settled.wait()
            return tested.store.settle(receipt_of(decision), Outcome.SUCCESS)

        assert at_once(20, log_in) == [True] * 20
        assert [left(tested.store, counter) for counter in (id_, ip, tries)] == [5, 20, 10]

    def test_twenty_parallel_wrong_guesses_reach_the_password_five_times(self, tested: StoreUnderTest) -> None:
        id_ = account("5/15m")
        passed = at_once(20, lambda i: tested.store.decide(plan(id_, client=ANN, guess=bytes([1, i]))).allowed)
        assert sum(passed) == 5

    def test_of_racing_settles_one_wins(self, tested: StoreUnderTest) -> None:
        counter = failures("20/1h")
        spend(tested.store, counter, 3)
        receipt = receipt_of(tested.store.decide(plan(counter)))
        outcomes = [Outcome.SUCCESS, Outcome.PARTIAL, Outcome.FAILURE]
        settled = at_once(24, lambda i: (tested.store.settle(receipt, outcomes[i % 3]), outcomes[i % 3]))
        winners = [outcome for won, outcome in settled if won]
        assert len(winners) == 1
        assert left(tested.store, counter) == (16 if winners == [Outcome.FAILURE] else 17)

    def test_a_plan_sent_by_many_at_once_counts_once(self, tested: StoreUnderTest) -> None:
        counter = attempts("20/1h")
        asked = plan(counter)
        first, *others = at_once(24, lambda _: tested.store.decide(asked))
        assert others == [first] * 23
        assert left(tested.store, counter) == 19
