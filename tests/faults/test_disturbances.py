"""Disturbances of a server that goes on answering: none of them gives anybody a charge that the store did not count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import redis

from authguard.clock import SECOND, ManualClock
from authguard.errors import StoreTimeout
from authguard.events import StoreFaulted, StoreSuspended
from authguard.limits import Counter, Outcome
from authguard.policy import FailMode
from authguard.stores import Store, open_store
from authguard.stores.base import DEADLINE
from authguard.stores.breaker import Breaker
from authguard.stores.fallback import Fallback
from authguard.stores.resilient import ResilientStore, Source
from authguard.stores.sqlite import SQLiteStore
from authguard.testing.plans import failures, left, plan
from tests.faults.siege import LIMIT, SHARE, WORKERS, Siege
from tests.guard.rig import Recorder
from tests.servers.delay_proxy import DelayProxy, Road
from tests.servers.redis import RedisServer
from tests.stores.harnesses import PATIENT
from tests.stores.redis.stopped_clock import StoppedRedis
from tests.stores.redis.waiting import eventually

LOCAL = FailMode.LOCAL
HOUR = 3600 * SECOND


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with RedisServer() as running:
        yield running


@pytest.fixture
def client(server: RedisServer) -> Iterator[redis.Redis]:
    with redis.Redis(port=server.port) as opened:
        opened.flushall()
        opened.config_resetstat()
        yield opened


@contextmanager
def resilient(store: Store, recorder: Recorder | None = None) -> Iterator[ResilientStore]:
    """Give ``store`` behind a breaker and a fallback."""
    with closing(store):
        yield ResilientStore(store, "redis", recorder or Recorder(), Fallback(WORKERS), Breaker(rest=0.05))


def calls_of(client: redis.Redis, command: str) -> int:
    """Return how often the server was given ``command`` since the test began."""
    return int(client.info("commandstats").get(f"cmdstat_{command}", {"calls": 0})["calls"])


@pytest.mark.serial
def test_scripts_that_are_flushed_are_loaded_again(server: RedisServer, client: redis.Redis) -> None:
    recorder = Recorder()
    with resilient(open_store(server.url, deadline=PATIENT), recorder) as store, Siege(store, LOCAL) as siege:
        for _ in range(10):
            siege.wait_for(Source.STORE, 10)
            client.script_flush()
            siege.add_target()
        siege.wait_for(Source.STORE, 20 * len(siege.targets))
    assert {call.source for call in siege.calls} == {Source.STORE}
    assert recorder.events == []
    assert {siege.admitted(counter) for counter in siege.targets} == {LIMIT}
    assert calls_of(client, "script|load") >= 10


def test_a_server_that_is_full_denies_whom_it_knows_and_charges_nothing(
    server: RedisServer, client: redis.Redis
) -> None:
    spent, begun, unknown = (failures(f"{LIMIT}/1h") for _ in range(3))
    recorder = Recorder()

    def admit(counter: Counter) -> dict[Source, int]:
        rulings = [store.decide(plan(counter, begun), LOCAL) for _ in range(20)]
        return {
            source: sum(
                ruling.decision is not None and ruling.decision.allowed for ruling in rulings if ruling.source is source
            )
            for source in (Source.STORE, Source.LOCAL)
        }

    with resilient(open_store(server.url, deadline=PATIENT), recorder) as store:
        for _ in range(LIMIT):
            assert store.decide(plan(spent), LOCAL).source is Source.STORE
        receipt = store.decide(plan(begun), LOCAL).decision
        assert receipt is not None
        assert receipt.receipt is not None
        client.config_set("maxmemory", 1)
        try:
            assert admit(spent) == {Source.STORE: 0, Source.LOCAL: 0}
            assert recorder.events == []
            assert admit(unknown) == {Source.STORE: 0, Source.LOCAL: SHARE}
            assert store.settle(receipt.receipt, Outcome.SUCCESS) is False
        finally:
            client.config_set("maxmemory", 0)
        assert set(recorder.events) == {
            StoreFaulted("redis", "decide", "full"),
            StoreFaulted("redis", "settle", "full"),
        }
        assert admit(unknown) == {Source.STORE: LIMIT - 1, Source.LOCAL: 0}


def test_a_call_that_lands_late_counts_once_and_is_made_once(server: RedisServer, client: redis.Redis) -> None:
    counter = failures(f"{LIMIT}/1h")
    asked = plan(counter)
    with DelayProxy(server.port, delay=0.1) as proxy:
        url = f"redis://127.0.0.1:{proxy.port}"
        with resilient(open_store(url)) as store, closing(open_store(server.url, deadline=PATIENT)) as other:
            eventually(lambda: store.decide(plan(failures()), LOCAL).source is Source.STORE)
            client.config_resetstat()
            proxy.change(Road.SLOW)
            assert store.decide(asked, LOCAL).source is Source.LOCAL
            eventually(lambda: calls_of(client, "evalsha") > 0)
            assert left(other, counter) == LIMIT - 1
            proxy.change(Road.GOOD)
            assert calls_of(client, "evalsha") == 2  # the call that came late, and the look at what it left behind
            eventually(lambda: store.decide(asked, LOCAL).source is Source.STORE)
            for _ in range(5):
                store.decide(asked, LOCAL)
            assert left(other, counter) == LIMIT - 1


@pytest.mark.serial
def test_a_timed_out_call_is_not_repeated(server: RedisServer, client: redis.Redis) -> None:
    with closing(open_store(server.url)) as store:
        eventually(lambda: answers(store))
        client.config_resetstat()
        server.freeze()
        begun = time.monotonic()
        try:
            with pytest.raises(StoreTimeout):
                store.decide(plan(failures()))
            assert time.monotonic() - begun < 2 * DEADLINE / SECOND
        finally:
            server.thaw()
    eventually(lambda: calls_of(client, "evalsha") > 0)
    assert calls_of(client, "evalsha") == 1


def answers(store: Store) -> bool:
    """Return whether the store decides within its deadline."""
    try:
        return store.decide(plan(failures())).allowed
    except StoreTimeout:
        return False


@pytest.mark.serial
def test_a_store_that_comes_and_goes_costs_one_share(server: RedisServer, client: redis.Redis) -> None:
    recorder = Recorder()
    with DelayProxy(server.port) as proxy:
        store = open_store(f"redis://127.0.0.1:{proxy.port}")
        with resilient(store, recorder) as guarded, Siege(guarded, LOCAL) as siege:
            for road in (Road.CUT, Road.DARK, Road.FOREIGN) * 5:
                siege.wait_for(Source.STORE, 5)
                proxy.change(road)
                siege.wait_for(Source.LOCAL, 5)
                proxy.change(Road.GOOD)
            siege.wait_for(Source.STORE, 50)
    counter = siege.targets[0]
    assert siege.admitted(counter, Source.STORE) <= LIMIT
    assert siege.admitted(counter, Source.LOCAL) <= SHARE
    assert siege.late_calls() == []
    assert StoreSuspended("redis", 0.05) in recorder.events


def guess_across(step: int, clock: ManualClock, guess: Callable[[Counter], int]) -> None:
    """Spend a budget, let the clock step and step back, and check that this gave one more budget, or none."""
    counter = failures(f"{LIMIT}/15m")
    assert guess(counter) == LIMIT
    clock.advance(step)
    again = guess(counter)
    clock.advance(-step)
    assert again + guess(counter) == (LIMIT if step > 0 else 0)


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_a_step_of_the_servers_clock_gives_at_most_one_more_budget(
    server: RedisServer, client: redis.Redis, step: int
) -> None:
    clock = ManualClock()
    with closing(StoppedRedis.at(server.url, clock, client)) as store:

        def guess(counter: Counter) -> int:
            store.tell()
            return sum(store.decide(plan(counter)).allowed for _ in range(30))

        guess_across(step, clock, guess)


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_a_step_of_the_machines_clock_gives_at_most_one_more_budget(tmp_path: Path, step: int) -> None:
    clock = ManualClock()
    with closing(SQLiteStore(tmp_path / "store.db", deadline=PATIENT, clock=clock)) as store:
        guess_across(step, clock, lambda counter: sum(store.decide(plan(counter)).allowed for _ in range(30)))


def test_a_step_of_the_machines_clock_gives_nobody_a_second_share(monkeypatch: pytest.MonkeyPatch) -> None:
    fallback, counter = Fallback(WORKERS), failures(f"{LIMIT}/15m")
    assert sum(fallback.decide(plan(counter)).allowed for _ in range(30)) == SHARE
    monkeypatch.setattr("authguard.clock.time_ns", lambda: 2_000_000_000_000_000_000)
    assert not fallback.decide(plan(counter)).allowed
