"""Behind sentinels: the store finds the master, and after a failover the new one, without a restart."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from authguard.errors import StoreError, StoreUnavailable
from authguard.stores import Store, open_store
from authguard.stores.redis_topology import SentinelMaster
from authguard.stores.redis_url import RedisURL
from tests.servers.redis import RedisServer
from tests.servers.redis_sentinel import SERVICE, RedisSentinels
from tests.stores.redis.plans import attempts
from tests.stores.redis.waiting import eventually


@pytest.fixture(scope="module")
def sentinels() -> Iterator[RedisSentinels]:
    with RedisSentinels() as running:
        yield running


def answers(store: Store) -> bool:
    """Return whether the store decides and writes, which a replica would refuse."""
    try:
        return store.decide(attempts("anybody", limit="1000/1h")).allowed
    except StoreError:
        return False


def test_an_unknown_service(sentinels: RedisSentinels) -> None:
    store = open_store(sentinels.url.replace(SERVICE, "nothing"), deadline=2_000_000)
    with pytest.raises(StoreUnavailable, match="knows a master of 'nothing'"):
        store.now()


def test_who_connects_while_the_sentinels_are_put_in_order_finds_them_all(sentinels: RedisSentinels) -> None:
    seen = []

    class Compared(tuple[str, int]):
        """An address that looks around whenever it is compared, as another thread may at any time."""

        def __ne__(self, other: object) -> bool:
            seen.append(len(servers._sentinels))
            return tuple(self) != other

    servers = SentinelMaster(RedisURL.parse(sentinels.url))
    servers._sentinels = [Compared(address) for address in servers._sentinels]
    servers.open().close()
    assert set(seen) == {len(servers._sentinels)}


def test_counts_survive_a_failover(sentinels: RedisSentinels) -> None:
    store = open_store(sentinels.url, deadline=500_000)
    assert [store.decide(attempts("a")).allowed for _ in range(2)] == [True, True]
    sentinels.wait_for_replication()
    sentinels.master.freeze()
    assert not answers(store)
    sentinels.wait_for_failover()
    eventually(lambda: answers(store))
    assert [store.decide(attempts("a")).allowed for _ in range(2)] == [True, False]
    sentinels.master.thaw()
    assert store.decide(attempts("b")).allowed
    store.close()


def test_a_replica_that_the_sentinels_still_call_the_master_is_not_asked() -> None:
    with RedisServer() as other, RedisSentinels() as own, redis.Redis(port=own.master.port) as client:
        client.replicaof("127.0.0.1", other.port)
        store = open_store(own.url, deadline=2_000_000)
        with pytest.raises(StoreUnavailable, match=r"no sentinel at .* knows a master"):
            store.now()
        store.close()
