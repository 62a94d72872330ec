"""What a broken server costs: an error within the deadline, no second charge, and no restart when it is back."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
import redis

from authguard.errors import StoreError, StoreFull, StoreTimeout, StoreUnavailable
from authguard.limits import Outcome
from authguard.stores.redis import RedisStore
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer
from tests.stores.redis.plans import attempts, login
from tests.stores.redis.waiting import eventually

BOUND = 0.1
"""Seconds within which a caller has its error, at a deadline of half that."""


@pytest.fixture
def own() -> Iterator[RedisServer]:
    """A server of the test's own, which it may break."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def store(own: RedisServer) -> Iterator[RedisStore]:
    opened = RedisStore.from_url(own.url)
    eventually(lambda: answers(opened))
    yield opened
    opened.close()


def answers(store: RedisStore) -> bool:
    """Return whether the store answers within its deadline."""
    try:
        return store.now() > 0
    except StoreError:
        return False


def seconds_until(error: type[StoreError], store: RedisStore) -> float:
    """Return how long a decision took to raise ``error``."""
    start = time.monotonic()
    with pytest.raises(error):
        store.decide(attempts("a"))
    return time.monotonic() - start


@pytest.mark.serial
def test_a_server_that_hangs_costs_no_more_than_the_deadline(own: RedisServer, store: RedisStore) -> None:
    own.freeze()
    with ThreadPoolExecutor(16) as threads:
        taken = list(threads.map(lambda _: seconds_until(StoreTimeout, store), range(48)))
    own.thaw()
    assert max(taken) < BOUND
    eventually(lambda: answers(store))


@pytest.mark.serial
def test_a_refused_connection_costs_next_to_nothing() -> None:
    store = RedisStore.from_url(f"redis://127.0.0.1:{free_port()}")
    assert max(seconds_until(StoreUnavailable, store) for _ in range(10)) < BOUND


@pytest.mark.serial
def test_a_resolver_that_hangs_costs_no_more_than_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: resolved.wait(20) and [])
    store = RedisStore.from_url("redis://redis.example")
    # More often than there are threads that may wait for the resolver.
    taken = [seconds_until(StoreTimeout, store) for _ in range(12)]
    resolved.set()
    assert max(taken) < BOUND


def test_an_unknown_host() -> None:
    store = RedisStore.from_url("redis://host.invalid", deadline=5_000_000)
    with pytest.raises(StoreUnavailable, match=r"host\.invalid"):
        store.now()


def test_a_late_answer_is_nobody_elses(own: RedisServer, store: RedisStore) -> None:
    own.freeze()
    with pytest.raises(StoreTimeout):
        store.decide(attempts("a", "b", "c"))
    own.thaw()
    eventually(lambda: answers(store))
    assert list(store.decide(attempts("d")).remaining) == ["d"]


def test_a_decision_that_landed_late_counts_once_when_it_is_repeated(own: RedisServer, store: RedisStore) -> None:
    plan = attempts("a")
    assert store.decide(attempts("another")).allowed
    own.freeze()
    with pytest.raises(StoreTimeout):
        store.decide(plan)
    own.thaw()
    with redis.Redis.from_url(own.url) as client:
        eventually(lambda: client.dbsize() == 4)
    eventually(lambda: answers(store))
    assert store.decide(plan).remaining == {"a": 2}
    assert store.decide(attempts("a")).remaining == {"a": 1}


def test_scripts_that_were_flushed_are_loaded_again(own: RedisServer, store: RedisStore) -> None:
    receipt = store.decide(login("a")).receipt
    assert receipt is not None
    with redis.Redis.from_url(own.url) as client:
        client.script_flush()
        assert store.decide(login("a")).remaining == {"a": 1}
        client.script_flush()
        assert store.settle(receipt, Outcome.SUCCESS)
    assert store.peek(login("a")).remaining == {"a": 1}


def test_a_server_that_restarts_empty(own: RedisServer, store: RedisStore) -> None:
    assert store.decide(attempts("a")).remaining == {"a": 2}
    own.kill()
    with pytest.raises(StoreUnavailable):
        store.decide(attempts("a"))
    own.start()
    # Every connection of before is broken; none of them costs a decision.
    assert store.decide(attempts("a")).remaining == {"a": 2}


def test_connections_that_the_server_closed_cost_no_decision(own: RedisServer, store: RedisStore) -> None:
    with redis.Redis.from_url(own.url) as client, ThreadPoolExecutor(8) as threads:
        barrier = threads.map(lambda _: store.decide(attempts("a", limit="100/1h")).allowed, range(16))
        assert all(barrier)
        client.client_kill_filter(_type="normal", skipme=True)
    Event().wait(0.15)
    assert store.decide(attempts("b")).allowed


def test_memory_that_is_full_charges_nothing(own: RedisServer, store: RedisStore) -> None:
    with redis.Redis.from_url(own.url) as client:
        store.decide(attempts("a"))
        client.config_set("maxmemory", 1)
        with pytest.raises(StoreFull, match="maxmemory"):
            store.decide(attempts("a", "b"))
        assert store.peek(attempts("a", "b")).remaining == {"a": 1, "b": 2}
        client.config_set("maxmemory", 0)
    assert store.decide(attempts("a", "b")).remaining == {"a": 1, "b": 2}


def test_a_master_that_becomes_a_replica(own: RedisServer, store: RedisStore, server: RedisServer) -> None:
    with redis.Redis.from_url(own.url) as client:
        client.execute_command("REPLICAOF", "127.0.0.1", server.port)
        eventually(lambda: client.info("replication")["master_link_status"] == "up")
        with pytest.raises(StoreUnavailable, match="READONLY"):
            store.decide(attempts("a"))
        client.execute_command("REPLICAOF", "NO", "ONE")
    assert store.decide(attempts("a")).allowed


def test_a_settle_whose_connection_broke_is_made_once_more(own: RedisServer, store: RedisStore) -> None:
    receipt = store.decide(login("a")).receipt
    assert receipt is not None
    with redis.Redis.from_url(own.url) as client:
        client.client_kill_filter(_type="normal", skipme=True)
    assert store.settle(receipt, Outcome.SUCCESS)
    assert store.peek(login("a")).remaining == {"a": 2}


def test_a_forked_child_shares_no_connection(store: RedisStore) -> None:
    assert store.decide(attempts("a")).allowed
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            left = [store.decide(attempts("child", limit="100/1h")).remaining["child"] for _ in range(50)]
            os.write(writing, b"good" if left == list(range(99, 49, -1)) else b"bad ")
        finally:
            os._exit(0)
    left = [store.decide(attempts("parent", limit="100/1h")).remaining["parent"] for _ in range(50)]
    assert os.read(reading, 4) == b"good"
    assert left == list(range(99, 49, -1))
    os.waitpid(child, 0)
    os.close(reading)
    os.close(writing)


def test_a_closed_store_keeps_no_connection(own: RedisServer, store: RedisStore) -> None:
    store.decide(attempts("a"))
    store.close()
    # A call that was under way when the store was closed brings its connection back later.
    assert answers(store)
    with redis.Redis.from_url(own.url) as client:
        eventually(lambda: len(client.client_list(_type="normal")) == 1)
