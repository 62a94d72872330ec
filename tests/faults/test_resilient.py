"""The resilient store: what each fault becomes in each fail mode, what it costs, and who hears of it."""

from __future__ import annotations

from contextlib import suppress

import pytest

from authguard.clock import SECOND
from authguard.errors import StoreError, StoreFull, StoreTimeout, StoreUnavailable
from authguard.events import StoreFaulted, StoreRecovered, StoreSkipped, StoreSuspended
from authguard.limits import Algorithm, Decision, Limit, Outcome
from authguard.policy import FailMode
from authguard.stores.breaker import Breaker
from authguard.stores.fallback import Fallback
from authguard.stores.lease import Leases
from authguard.stores.leasing import LeasingStore
from authguard.stores.resilient import Health, ResilientStore, Source
from authguard.testing.plans import attempts, failures, left, plan
from tests.faults.scripted import Rig, ScriptedStore
from tests.guard.rig import Recorder

FAULTS = [(StoreTimeout(), "timeout"), (StoreUnavailable(), "unavailable"), (StoreFull(), "full")]
LOCAL, CLOSED, OPEN = FailMode.LOCAL, FailMode.CLOSED, FailMode.OPEN


@pytest.mark.parametrize(("error", "fault"), FAULTS)
def test_closed_raises_the_fault_itself(error: StoreError, fault: str) -> None:
    rig = Rig()
    rig.store.fault = error
    with pytest.raises(type(error)):
        rig.resilient.decide(plan(failures()), CLOSED)
    assert rig.recorder.events == [StoreFaulted("redis", "decide", fault)]


@pytest.mark.parametrize(("error", "fault"), FAULTS)
def test_local_counts_in_the_process(error: StoreError, fault: str) -> None:
    rig, counter = Rig(), failures("8/1h")
    rig.store.fault = error
    rulings = [rig.resilient.decide(plan(counter), LOCAL) for _ in range(9)]
    assert {ruling.source for ruling in rulings} == {Source.LOCAL}
    assert [ruling.decision is not None and ruling.decision.allowed for ruling in rulings] == [True] * 4 + [False] * 5
    assert StoreFaulted("redis", "decide", fault) in rig.recorder.events


@pytest.mark.parametrize(("error", "fault"), FAULTS)
def test_open_decides_nothing(error: StoreError, fault: str) -> None:
    rig = Rig()
    rig.store.fault = error
    assert rig.resilient.decide(plan(failures()), OPEN) == (None, Source.OPEN)
    assert rig.recorder.events == [StoreFaulted("redis", "decide", fault)]


@pytest.mark.parametrize("mode", [LOCAL, CLOSED, OPEN])
def test_a_dead_store_is_asked_once_in_a_while(mode: FailMode) -> None:
    rig = Rig()
    rig.store.fault = StoreUnavailable()
    for _ in range(100):
        with suppress(StoreUnavailable):
            rig.resilient.decide(plan(failures("1000/1h")), mode)
    assert rig.store.calls == 3
    rig.clock.advance(10 * SECOND)
    for _ in range(100):
        with suppress(StoreUnavailable):
            rig.resilient.decide(plan(failures("1000/1h")), mode)
    assert rig.store.calls == 4


def test_what_leases_serve_is_no_sign_of_life() -> None:
    rig = Rig()
    leasing = LeasingStore(rig.store, Leases(rig.clock.now))
    store = ResilientStore(leasing, "redis", rig.recorder, breaker=Breaker(clock=rig.seconds), clock=rig.seconds)
    leased = attempts(Limit.parse("1000/1h", Algorithm.FIXED_WINDOW), lease=100)
    assert store.decide(plan(leased, hold=0), LOCAL).source is Source.STORE
    rig.store.fault = StoreTimeout()
    calls = rig.store.calls
    for _ in range(20):
        store.decide(plan(leased, hold=0), LOCAL)
        store.decide(plan(failures()), LOCAL)
    assert rig.store.calls == calls + 3
    rig.clock.advance(SECOND)
    assert store.decide(plan(leased, hold=0), LOCAL).source is Source.STORE
    assert store.peek(plan(leased, hold=0)) is not None
    assert not store.health().up
    store.decide(plan(failures()), LOCAL)
    assert rig.store.calls == calls + 4
    assert StoreRecovered("redis") not in rig.recorder.events


def test_the_observer_hears_the_whole_story() -> None:
    rig = Rig()
    rig.store.fault = StoreTimeout()
    for _ in range(4):
        rig.decide(failures())
    rig.clock.advance(SECOND)
    rig.store.fault = None
    rig.decide(failures())
    faulted = StoreFaulted("redis", "decide", "timeout")
    assert rig.recorder.events == [
        *(faulted, faulted, faulted),
        StoreSuspended("redis", 1.0),
        StoreSkipped("redis", "decide"),
        StoreRecovered("redis"),
    ]


def test_health_tells_the_last_fault_and_its_age() -> None:
    rig = Rig()
    assert rig.resilient.health() == Health(True, None, None)
    rig.store.fault = StoreTimeout()
    for _ in range(3):
        rig.decide(failures())
    rig.clock.advance(SECOND)
    assert rig.resilient.health() == Health(False, "timeout", 1.0)
    rig.store.fault = None
    rig.decide(failures())
    assert rig.resilient.health() == Health(True, "timeout", 1.0)


def test_a_store_that_stalls_ten_times_gives_one_local_budget() -> None:
    rig, counter = Rig(), failures("8/1h")
    admitted = 0
    for _ in range(10):
        rig.store.fault = StoreTimeout()
        admitted += sum(rig.decide(counter).allowed for _ in range(20))
        rig.store.fault = None
        rig.clock.advance(SECOND)
        admitted += sum(rig.decide(counter).allowed for _ in range(20))
    assert admitted == 8 + 4


def test_a_full_store_is_still_asked_and_denies_whom_it_knows() -> None:
    rig = Rig()
    rig.store = store = FullForNewcomers(rig.clock)
    resilient = ResilientStore(store, "memory", rig.recorder, Fallback(2, rig.clock))
    spent = failures("2/1h")
    for _ in range(2):
        assert resilient.decide(plan(spent), LOCAL).source is Source.STORE
    for _ in range(30):
        assert resilient.decide(plan(failures()), LOCAL).source is Source.LOCAL
    ruling = resilient.decide(plan(spent), LOCAL)
    assert ruling.source is Source.STORE
    assert ruling.decision is not None
    assert not ruling.decision.allowed


class FullForNewcomers(ScriptedStore):
    """A store with room for two charges."""

    def decide(self, plan: object) -> Decision:
        decision = super().decide(plan)  # type: ignore[arg-type]
        if decision.allowed and self.calls > 2:
            raise StoreFull
        return decision


def test_a_full_fallback_fails_closed_and_says_so() -> None:
    rig = Rig()
    resilient = ResilientStore(rig.store, "redis", rig.recorder, Fallback(1, rig.clock, max_keys=1))
    rig.store.fault = StoreUnavailable()
    assert resilient.decide(plan(failures()), LOCAL).source is Source.LOCAL
    with pytest.raises(StoreFull):
        resilient.decide(plan(failures()), LOCAL)
    assert StoreFaulted("local", "decide", "full") in rig.recorder.events


def test_a_bug_in_the_store_is_no_outage() -> None:
    rig = Rig()
    rig.store.fault = ZeroDivisionError()
    for _ in range(9):
        with pytest.raises(ZeroDivisionError):
            rig.resilient.decide(plan(failures()), LOCAL)
    assert rig.resilient.health().up
    assert rig.recorder.events == []


@pytest.mark.parametrize("error", [ZeroDivisionError(), KeyboardInterrupt(), StoreFull(), StoreTimeout()])
def test_whatever_the_probe_meets_another_one_follows(error: BaseException) -> None:
    rig = Rig()
    rig.store.fault = StoreUnavailable()
    for _ in range(3):
        rig.decide(failures())
    rig.clock.advance(SECOND)
    rig.store.fault = error
    with suppress(ZeroDivisionError, KeyboardInterrupt):
        rig.resilient.decide(plan(failures()), LOCAL)
    rig.store.fault = None
    rig.clock.advance(SECOND)
    assert rig.resilient.decide(plan(failures()), LOCAL).source is Source.STORE


def test_whoever_is_interrupted_while_it_tells_of_a_fault_leaves_the_probe_to_others() -> None:
    rig = Rig()

    class Interrupted:
        def observe(self, event: object) -> None:
            if isinstance(event, StoreFaulted) and rig.clock.now() > begun:
                raise KeyboardInterrupt

    begun = rig.clock.now()
    breaker = Breaker(clock=rig.seconds)
    resilient = ResilientStore(rig.store, "redis", Interrupted(), Fallback(2, rig.clock), breaker, rig.seconds)
    rig.store.fault = StoreUnavailable()
    for _ in range(3):
        resilient.decide(plan(failures()), LOCAL)
    rig.clock.advance(SECOND)
    with pytest.raises(KeyboardInterrupt):
        resilient.decide(plan(failures()), LOCAL)
    rig.store.fault = None
    rig.clock.advance(SECOND)
    assert resilient.decide(plan(failures()), LOCAL).source is Source.STORE


def test_a_call_that_landed_late_counts_once() -> None:
    rig, counter = Rig(), failures("5/1h")
    asked = plan(counter)
    rig.store.fault, rig.store.late = StoreTimeout(), True
    assert rig.resilient.decide(asked, LOCAL).source is Source.LOCAL
    assert left(rig.store, counter) == 4
    rig.store.fault = None
    again = rig.resilient.decide(asked, LOCAL)
    assert again.source is Source.STORE
    assert left(rig.store, counter) == 4
    assert again.decision is not None
    assert again.decision.receipt is not None
    assert rig.resilient.settle(again.decision.receipt, Outcome.PARTIAL)
    assert left(rig.store, counter) == 5


def test_nothing_is_repeated_behind_the_callers_back() -> None:
    rig = Rig()
    rig.store.fault = StoreTimeout()
    rig.decide(failures())
    assert rig.store.calls == 1


def test_an_observer_of_its_own_is_enough() -> None:
    recorder = Recorder()
    resilient = ResilientStore(Rig().store, "memory", recorder)
    assert resilient.decide(plan(failures()), CLOSED).source is Source.STORE
    assert recorder.events == []
