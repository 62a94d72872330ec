"""Rotation: while a pepper is retired, what stands under a counter's previous keys counts too (law 14)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

from dataclasses import replace

from authguard.limits import Outcome
from authguard.testing.contract.clocks import KINDS, every_kind, fill
from authguard.testing.contract.settling import receipt_of
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import ANN, MINUTE, account, attempts, failures, left, new_key, plan, spend


class Rotation:
    """Tests of counters that have previous keys."""

    def test_charges_under_the_previous_key_count(self, tested: StoreUnderTest) -> None:
        old, new = new_key(), new_key()
        spend(tested.store, attempts("5/1m", old), 3)
        tested.advance(MINUTE // 2)
        spend(tested.store, attempts("5/1m", new), 1)
        both = attempts("5/1m", new, previous=(old,))
        assert left(tested.store, both) == 1
        spend(tested.store, both, 1)
        assert not tested.store.decide(plan(both)).allowed
        tested.advance(MINUTE // 2)
        assert left(tested.store, both) == 3

    def test_a_charge_moves_what_stood_under_the_previous_key(self, tested: StoreUnderTest) -> None:
        old, new = new_key(), new_key()
        spend(tested.store, failures("5/1m", old), 2)
        spend(tested.store, failures("5/1m", new, previous=(old,)), 1)
        assert left(tested.store, failures("5/1m", new)) == 2
        assert left(tested.store, failures("5/1m", old)) == 5

    def test_a_denial_moves_nothing(self, tested: StoreUnderTest) -> None:
        old, new = new_key(), new_key()
        spend(tested.store, attempts("2/1m", old), 2)
        before = tested.dump()
        assert not tested.store.decide(plan(attempts("2/1m", new, previous=(old,)))).allowed
        assert tested.dump() == before

    def test_an_attempt_begun_under_one_key_and_settled_under_both_is_given_back(self, tested: StoreUnderTest) -> None:
        old, new = new_key(), new_key()
        spend(tested.store, account("5/1m", old), 1)
        both = failures("5/1m", new, layer="account", joins=True, clears=True, previous=(old,))
        receipt = receipt_of(tested.store.decide(plan(both, client=ANN)))
        assert tested.store.settle(receipt, Outcome.PARTIAL)
        assert left(tested.store, both) == 4

    @KINDS
    def test_a_counter_full_under_its_previous_key_is_full(self, tested: StoreUnderTest, kind: int) -> None:
        full = fill(tested, every_kind()[kind])
        wait = tested.store.decide(plan(full)).retry_after
        moved = replace(full, key=new_key(), previous=(full.key,))
        assert tested.store.decide(plan(moved)).retry_after == wait
