"""Outages of real servers under sixteen threads: bounded in time, bounded in budgets, and over without a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial

import pytest

from authguard.clock import SECOND
from authguard.events import StoreRecovered, StoreSuspended
from authguard.limits import Algorithm, Counter, Limit
from authguard.policy import FailMode
from authguard.stores.base import DEADLINE
from authguard.stores.breaker import Breaker
from authguard.stores.fallback import Fallback
from authguard.stores.leasing import CALLS, LeasingStore
from authguard.stores.resilient import ResilientStore, Source
from authguard.testing.plans import new_key
from tests.faults import moves, outages
from tests.faults.outages import Outage
from tests.faults.siege import LIMIT, SHARE, WORKERS, Siege
from tests.guard.rig import Recorder
from tests.servers.delay_proxy import Road

pytestmark = pytest.mark.serial

REST = 0.1
Making = Callable[[], AbstractContextManager[Outage]]
RULES = {FailMode.LOCAL: Source.LOCAL, FailMode.CLOSED: None, FailMode.OPEN: Source.OPEN}
EVERY: dict[str, Making] = {
    "stopped": outages.stopped,
    "killed": outages.killed,
    "demoted": outages.demoted,
    "slow": partial(outages.behind, Road.SLOW),
    "dark": partial(outages.behind, Road.DARK),
    "cut": partial(outages.behind, Road.CUT),
    "foreign": partial(outages.behind, Road.FOREIGN),
    "unknown": partial(outages.unresolved, hangs=False),
    "unresolved": partial(outages.unresolved, hangs=True),
    "locked": outages.locked,
    "failed over": moves.failed_over,
    "migrated": moves.migrated,
    "orphaned": moves.orphaned,
}
# A name is looked up for new connections only: what is connected does not notice.
FROM_THE_START = ["killed", "unknown", "unresolved"]
UNNOTICED = {"unknown", "unresolved"}


@contextmanager
def besiege(
    outage: Outage, mode: FailMode = FailMode.LOCAL, recorder: Recorder | None = None, leased: tuple[Counter, ...] = ()
) -> Iterator[Siege]:
    """Open the store as one of the workers would, and have it called all the time."""
    with closing(outage.open(CALLS if leased else 1)) as opened:
        store = LeasingStore(opened) if leased else opened
        resilient = ResilientStore(store, "tested", recorder or Recorder(), Fallback(WORKERS), Breaker(rest=REST))
        with Siege(resilient, mode, leased) as siege:
            yield siege


def check(siege: Siege, lost: int) -> None:
    """Whatever happened: the store admits a budget, one more for each loss of its data, and the process its share."""
    for counter in siege.targets:
        assert siege.admitted(counter, Source.STORE) <= LIMIT * (1 + lost)
        assert siege.admitted(counter, Source.LOCAL) <= SHARE
    assert siege.late_calls() == []


@pytest.mark.parametrize("name", [name for name in EVERY if name not in UNNOTICED])
def test_an_outage_costs_one_share_and_ends_by_itself(name: str) -> None:
    recorder = Recorder()
    with EVERY[name]() as outage, besiege(outage, recorder=recorder) as siege:
        siege.wait_for(Source.STORE)
        outage.begin()
        newcomer = siege.add_target()
        siege.wait_for(Source.LOCAL)
        assert siege.admitted(newcomer, Source.LOCAL) == SHARE
        outage.end()
        siege.wait_for(Source.STORE, 1)
        latecomer = siege.add_target()
        siege.wait_for(Source.STORE)
    check(siege, outage.lost)
    assert siege.admitted(latecomer, Source.STORE) > SHARE
    kinds = [type(event) for event in recorder.events]
    assert kinds.index(StoreSuspended) < kinds.index(StoreRecovered)


@pytest.mark.parametrize("name", ["stopped", "killed", "slow"])
def test_an_outage_under_leases_costs_one_share_too(name: str) -> None:
    leased = Counter("leased", new_key(), Limit.parse("10000/10d", Algorithm.FIXED_WINDOW), lease=10)
    with EVERY[name]() as outage, besiege(outage, leased=(leased,)) as siege:
        siege.wait_for(Source.STORE)
        outage.begin()
        newcomer = siege.add_target()
        siege.wait_for(Source.LOCAL)
        outage.end()
        # What was under way when the outage ended may still be charged, and nobody hears of it.
        siege.wait_for(Source.STORE)
        latecomer = siege.add_target()
        siege.wait_for(Source.STORE)
    check(siege, outage.lost)
    assert siege.admitted(newcomer, Source.LOCAL) == SHARE
    assert siege.admitted(latecomer, Source.STORE) > SHARE


@pytest.mark.parametrize("name", FROM_THE_START)
def test_a_store_that_is_not_there_at_the_start_is_found_later(name: str) -> None:
    with EVERY[name]() as outage:
        outage.begin()
        with besiege(outage) as siege:
            siege.wait_for(Source.LOCAL)
            assert siege.admitted(siege.targets[0]) == SHARE
            outage.end()
            siege.wait_for(Source.STORE)
        check(siege, lost=0)


@pytest.mark.parametrize("mode", [FailMode.CLOSED, FailMode.OPEN])
@pytest.mark.parametrize("name", ["stopped", "killed"])
def test_the_policys_mode_rules_during_an_outage_and_the_store_after_it(name: str, mode: FailMode) -> None:
    with EVERY[name]() as outage, besiege(outage, mode) as siege:
        siege.wait_for(Source.STORE)
        outage.begin()
        siege.wait_for(RULES[mode])
        outage.end()
        siege.wait_for(Source.STORE)
    check(siege, outage.lost)
    ruled = {call.source for call in siege.calls}
    assert ruled == {Source.STORE, RULES[mode]}
    if mode is FailMode.CLOSED:
        assert sum(call.allowed for call in siege.calls) <= LIMIT * (1 + outage.lost)


def test_a_store_that_stalls_ten_times_gives_one_share() -> None:
    with outages.stopped() as outage, besiege(outage) as siege:
        for _ in range(10):
            siege.wait_for(Source.STORE, 20)
            outage.begin()
            siege.wait_for(Source.LOCAL, 20)
            outage.end()
        siege.wait_for(Source.STORE, 20)
    check(siege, lost=0)
    assert siege.admitted(siege.targets[0], Source.LOCAL) == SHARE


def test_a_dead_store_costs_nothing() -> None:
    with outages.stopped() as outage, besiege(outage) as siege:
        siege.wait_for(Source.STORE)
        outage.begin()
        siege.wait_for(Source.LOCAL, 20)
        begun = len(siege.calls)
        siege.wait_for(Source.LOCAL, 400)
        ruled = siege.calls[begun:]
    waited = sum(siege.cost_of(call) > DEADLINE / SECOND / 2 for call in ruled)
    # Once it is known to be down one call at a time looks after it, and not more often than the breaker lets it.
    probes = 1 + (ruled[-1].began - ruled[0].began) / REST
    assert 1 <= waited <= probes
