"""Leases through Flask: several workers on one Redis, and one deadline for all the calls of a decision."""

from __future__ import annotations

import http.client
import sys
import time
from collections import Counter as Tally
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import redis
from flask import Flask
from redis.crc import key_slot

from authguard.errors import StoreTimeout
from authguard.flask.state import state_of
from authguard.policy import FailMode
from authguard.stores import Store
from authguard.stores.resilient import Source
from authguard.testing.plans import attempts, plan
from tests.flask.leased_site import LEASE, LIMIT, build
from tests.servers.delay_proxy import DelayProxy, Road
from tests.servers.ports import free_port
from tests.servers.process import ServerProcess
from tests.servers.redis import RedisServer
from tests.servers.redis_cluster import RedisCluster
from tests.stores.lease_site import LOOSE, loose
from tests.stores.redis.waiting import eventually

WORKERS = 3


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with RedisServer() as running:
        yield running


@contextmanager
def gunicorn(url: str, folder: Path) -> Iterator[int]:
    """Serve the leased site from several workers; gives the port."""
    port, site = free_port(), f"tests.flask.leased_site:build({url!r}, {str(folder)!r}, AUTHGUARD_DEADLINE='20s')"
    options = ["--workers", str(WORKERS), "--threads", "2", "--bind", f"127.0.0.1:{port}"]
    process = ServerProcess([sys.executable, "-m", "gunicorn", *options, site])
    try:
        process.wait_for("Booting worker", times=WORKERS)
        yield port
    except AssertionError as failure:
        failure.add_note(process.last_words)
        raise
    finally:
        process.stop()


def search(port: int) -> int:
    """Return the status of one request over a connection of its own, which any worker may take."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", "/search")
        return connection.getresponse().status


def test_workers_share_a_limit_by_leases_and_ask_seldom(server: RedisServer, tmp_path: Path) -> None:
    with redis.Redis(port=server.port) as client, gunicorn(server.url, tmp_path) as port:
        eventually(lambda: client.info("commandstats").get("cmdstat_evalsha", {"calls": 0})["calls"] >= WORKERS)
        client.config_resetstat()
        with ThreadPoolExecutor(8) as threads:
            answers = Tally(threads.map(search, [port] * (LIMIT // 2)))
            asked = client.info("commandstats")["cmdstat_evalsha"]["calls"]
            answers += Tally(threads.map(search, [port] * (LIMIT // 2 + 40)))
        assert set(answers) == {200, 503}
    assert LIMIT - WORKERS * LEASE < answers[200] <= LIMIT
    # One call a block; while a worker's thread asks for one its other thread is charged by itself.
    assert asked <= 2 * LIMIT // 2 // LEASE


@pytest.mark.parametrize(("delay", "in_time"), [(0.4, True), (1.2, False)])
def test_two_calls_share_one_deadline(server: RedisServer, tmp_path: Path, delay: float, in_time: bool) -> None:
    """A block that has no room costs a second call: both together end by the deadline of 4 s, or the first is late."""
    with DelayProxy(server.port, delay=delay) as proxy:
        app = build(f"redis://127.0.0.1:{proxy.port}", str(tmp_path), AUTHGUARD_DEADLINE="4s")
        with closing(state_of(app).store) as store:
            leased = loose(lease=LOOSE.amount)
            # Charged once by another process: there is room for a request, and none for a block.
            assert store_of(store).decide(plan(replace(leased, lease=0), hold=0)).allowed
            proxy.change(Road.SLOW)
            begun = time.monotonic()
            if in_time:
                assert store.decide(plan(leased, attempts())).allowed
                assert 4 * delay <= time.monotonic() - begun < 4
            else:
                with pytest.raises(StoreTimeout):
                    store.decide(plan(leased, attempts()))
                assert time.monotonic() - begun < 2 * delay + 1


def asks_the_store(app: Flask) -> bool:
    """Return whether the store decides again; asks it if need be."""
    return state_of(app).resilient.decide(plan(attempts()), FailMode.LOCAL).source is Source.STORE


def store_of(store: Store) -> Store:
    """Return the store from which ``store`` leases."""
    behind: Store = store._store  # type: ignore[attr-defined]
    return behind


@pytest.mark.parametrize(("leases", "calls"), [(False, 3), (True, 6)])
def test_places_apart_share_it_too(tmp_path: Path, leases: bool, calls: int) -> None:
    """A node that hangs costs one call's part of 6 s; the layer apart was asked before, and nothing is after."""
    with RedisCluster() as cluster:
        here = cluster.owner_of(key_slot(b"{ag}"))
        tag = next(n for n in range(100) if cluster.owner_of(key_slot(b"{%d}" % n)) is not here)
        app = build(f"{cluster.url}?apart={tag}", str(tmp_path), AUTHGUARD_DEADLINE="6s", leases=leases)
        with closing(state_of(app).store) as store:
            asked = attempts("9/1h", apart=True), attempts()
            assert store.decide(plan(*asked)).allowed
            here.freeze()
            begun = time.monotonic()
            with pytest.raises(StoreTimeout):
                store.decide(plan(*asked))
            taken = time.monotonic() - begun
            here.thaw()
    assert 6 / calls - 0.05 <= taken < 6 / calls + 0.6


def test_what_is_leased_goes_on_after_an_outage_and_costs_one_share(server: RedisServer, tmp_path: Path) -> None:
    """Two applications of two workers: each admits its half of the limit by itself, and the store counts on."""
    apps = [
        build(server.url, str(tmp_path), AUTHGUARD_DEADLINE="1s", AUTHGUARD_WORKERS=2, AUTHGUARD_NAMESPACE="outage")
        for _ in range(2)
    ]
    clients = [app.test_client() for app in apps]
    assert [client.get("/search").status_code for client in clients for _ in range(10)] == [200] * 20
    server.freeze()
    try:
        answers = [Tally(client.get("/search").status_code for _ in range(LIMIT)) for client in clients]
        assert [state_of(app).resilient.health().up for app in apps] == [False, False]
    finally:
        server.thaw()
    # What is left of the leases serves until the breaker opens; then the process's own share is spent.
    assert all(LIMIT // 2 <= tally[200] <= LIMIT // 2 + LEASE for tally in answers)
    assert all(set(tally) == {200, 503} for tally in answers)
    for app in apps:
        eventually(partial(asks_the_store, app))
    admitted = 20 + sum(tally[200] for tally in answers) - 2 * (LIMIT // 2)
    admitted += sum(client.get("/search").status_code == 200 for client in clients for _ in range(LIMIT))
    assert LIMIT - 10 * LEASE <= admitted <= LIMIT
