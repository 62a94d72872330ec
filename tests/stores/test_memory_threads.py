"""The memory store's threads: what one looked up before its turn is looked up again when another wrote meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.errors import StoreFull
from authguard.limits import Outcome
from authguard.stores.memory import MemoryStore
from authguard.stores.turn import Turn
from authguard.testing.contract.settling import receipt_of
from authguard.testing.plans import MINUTE, attempts, failures, left, plan

MANY = 8


class ForestalledTurn(Turn):
    """A turn that somebody else has first: just before it is taken for the first time, ``meanwhile`` happens."""

    __slots__ = ("_meanwhile", "_real")

    def __init__(self, real: Turn, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._real = real
        self._meanwhile: Callable[[], object] | None = meanwhile
        self.try_to_take = self._take
        self.leave = real.leave

    def _take(self, blocking: bool) -> bool:
        meanwhile, self._meanwhile = self._meanwhile, None
        if meanwhile is not None:
            meanwhile()
        return self._real.try_to_take(blocking)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def store(clock: ManualClock) -> MemoryStore:
    return MemoryStore(clock)


def forestall(store: MemoryStore, meanwhile: Callable[[], object]) -> None:
    """Let ``meanwhile`` happen after the next decision has looked, and before its turn."""
    real = store._turn

    def act() -> None:
        store._turn = real
        meanwhile()

    store._turn = ForestalledTurn(real, act)


def test_the_last_place_goes_to_who_has_the_turn_first(store: MemoryStore) -> None:
    counter = attempts("1/1m")
    forestall(store, lambda: store.decide(plan(counter)))
    assert not store.decide(plan(counter)).allowed


def test_a_first_charge_is_not_written_over(store: MemoryStore) -> None:
    counter = attempts("3/1m")
    forestall(store, lambda: store.decide(plan(counter)))
    assert store.decide(plan(counter)).remaining == {"attempts": 1}
    assert left(store, counter) == 1


def test_a_nonce_that_came_in_between_counts_once(store: MemoryStore) -> None:
    asked = plan(attempts("3/1m"))
    forestall(store, lambda: store.decide(asked))
    assert store.decide(asked).remaining == {"attempts": 2}
    assert left(store, asked.counters[0]) == 2


def test_what_was_forgotten_in_between_counts_no_more(store: MemoryStore) -> None:
    counter = attempts("3/1m")
    store.decide(plan(counter))
    forestall(store, lambda: store.forget([counter.key]))
    assert store.decide(plan(counter)).remaining == {"attempts": 2}


def test_time_that_passed_meanwhile_counts(store: MemoryStore, clock: ManualClock) -> None:
    counter = attempts("1/1m")
    store.decide(plan(counter))
    clock.advance(MINUTE - SECOND)

    def meanwhile() -> None:
        clock.advance(SECOND)
        store.settle(receipt_of(store.decide(plan(failures()))), Outcome.FAILURE)

    forestall(store, meanwhile)
    assert store.decide(plan(counter)).allowed


def test_a_log_that_a_refused_plan_swept_away_is_charged_anew(clock: ManualClock) -> None:
    store, counter = MemoryStore(clock, max_keys=1), attempts("3/1m")
    store.decide(plan(counter, hold=0))

    def meanwhile() -> None:
        clock.advance(MINUTE)
        with pytest.raises(StoreFull):
            store.decide(plan(attempts(), attempts(layer="another")))

    forestall(store, meanwhile)
    store.decide(plan(counter))
    assert left(store, counter) == 2


def test_who_finds_the_turn_taken_gets_it_later() -> None:
    turn, together, counts = Turn(), Barrier(MANY), [0]

    def count() -> None:
        together.wait()
        for _ in range(200):
            with turn:
                (before,) = counts
                counts[:] = [before + 1]

    with ThreadPoolExecutor(MANY) as pool:
        for each in [pool.submit(count) for _ in range(MANY)]:
            each.result(60)
    assert counts == [200 * MANY]
    turn.take()
    assert not turn.try_to_take(False)
    turn.leave()
    assert turn.try_to_take(False)
