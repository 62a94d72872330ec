"""Bounds: a full store keeps what it holds, refuses what is new, and has room again when counters expire (law 15)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

import pytest

from authguard.errors import StoreFull
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import MINUTE, attempts, failures, plan, spend

FLOOD = 20_000
"""Fresh keys after which a store that was made small should long have been full."""
CERTAIN = 100
"""Refusals in a row that show that a store is full, and not only the place where one key would have gone."""


def flood(tested: StoreUnderTest) -> int:
    """Charge fresh counters until there is no room for any of ``CERTAIN`` in a row; return how many there was."""
    made = refused = 0
    while refused < CERTAIN:
        if is_refused(tested, 1):
            refused += 1
        else:
            made, refused = made + 1, 0
        assert made < FLOOD, "the store took every key; give the suite a small one"
    return made


def is_refused(tested: StoreUnderTest, fresh: int) -> bool:
    """Charge ``fresh`` new counters in one plan; return whether there was no room."""
    try:
        tested.store.decide(plan(*(attempts("5/1m", layer=str(i)) for i in range(fresh))))
    except StoreFull:
        return True
    return False


class Bounds:
    """Tests of a store at its bound; ``cramped`` is one that has room for a few dozen or hundred counters only."""

    def test_a_flood_of_fresh_keys_pushes_no_counter_out(self, cramped: StoreUnderTest) -> None:
        victim = failures("3/10m")
        spend(cramped.store, victim, 3)
        assert flood(cramped) > 10
        refused = sum(is_refused(cramped, 3) for _ in range(500))
        assert refused > 450, "a full store found room again and again"
        assert cramped.store.decide(plan(victim)).denied == ("failures",)

    def test_a_refusal_for_lack_of_room_writes_nothing(self, cramped: StoreUnderTest) -> None:
        standing = attempts("9/10m")
        spend(cramped.store, standing, 1)
        flood(cramped)
        before = cramped.dump()
        with pytest.raises(StoreFull):
            cramped.store.decide(plan(standing, *(attempts(layer=str(i)) for i in range(8))))
        assert cramped.dump() == before

    def test_a_full_store_still_denies(self, cramped: StoreUnderTest) -> None:
        full = attempts("2/10m")
        spend(cramped.store, full, 2)
        flood(cramped)
        assert not cramped.store.decide(plan(full, attempts(), attempts())).allowed
        assert not cramped.store.peek(plan(full)).allowed

    def test_expired_counters_make_room(self, cramped: StoreUnderTest) -> None:
        first = flood(cramped)
        cramped.advance(MINUTE)
        assert flood(cramped) >= first // 2
