"""What the check at start finds, each on a server that is set up that way."""

from __future__ import annotations

import pytest
import redis

from authguard.stores.redis import RedisStore
from authguard.stores.start import UNREACHABLE
from tests.servers.delay_proxy import DelayProxy, Road
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer

SECOND = 1_000_000


def codes(url: str, deadline: int = 2 * SECOND) -> list[str]:
    store = RedisStore.from_url(url, deadline=deadline)
    found = [finding.code for finding in store.check()]
    store.close()
    return found


def test_nothing_is_found_and_nothing_is_left(server: RedisServer, client: redis.Redis) -> None:
    assert codes(server.url) == []
    assert client.dbsize() == 0


def test_unreachable() -> None:
    assert codes(f"redis://127.0.0.1:{free_port()}") == ["AG401"]


def test_a_first_connection_that_takes_longer_than_a_decision_may_hides_nothing() -> None:
    options = "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru"
    with RedisServer(*options) as server, DelayProxy(server.port, delay=0.1) as proxy:
        proxy.change(Road.SLOW)
        assert codes(f"redis://127.0.0.1:{proxy.port}", SECOND // 100) == ["AG404", "AG401"]


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl", "volatile-random"])
def test_counters_may_be_dropped(policy: str) -> None:
    with RedisServer("--maxmemory", "100mb", "--maxmemory-policy", policy) as server:
        assert codes(server.url) == ["AG404"]


@pytest.mark.parametrize("options", [("--maxmemory", "100mb"), ("--maxmemory-policy", "allkeys-lru")])
def test_no_counter_is_ever_dropped(options: tuple[str, ...]) -> None:
    with RedisServer(*options) as server:
        assert codes(server.url) == []


def test_a_replica(server: RedisServer) -> None:
    with RedisServer("--replicaof", "127.0.0.1", str(server.port)) as replica:
        replica.running.wait_for("REPLICA sync: Finished with success")
        assert codes(replica.url) == ["AG403", "AG405"]


@pytest.mark.parametrize("right", ["mget", "mset", "pexpireat"])
def test_a_right_is_missing(right: str) -> None:
    with RedisServer(acl=f"guard on >secret ~* +@all -{right}") as server:
        assert codes(server.url) == ["AG405"]
        with redis.Redis.from_url(server.url) as client:
            assert client.dbsize() == 0


def test_a_server_that_is_full_at_the_moment_is_an_outage_and_no_setting() -> None:
    with RedisServer("--maxmemory", "1") as server:
        assert codes(server.url) == [UNREACHABLE]


def test_asking_is_not_allowed() -> None:
    with RedisServer(acl="guard on >secret ~* +@all -info") as server:
        assert codes(server.url) == ["AG406"]


@pytest.mark.parametrize("login", ["", ":wrong@"])
def test_a_login_is_refused(login: str) -> None:
    with RedisServer(password="right") as server:
        assert codes(f"redis://{login}127.0.0.1:{server.port}") == ["AG407"]


def test_a_database_is_refused(server: RedisServer) -> None:
    assert codes(f"redis://127.0.0.1:{server.port}/9999") == ["AG407"]
