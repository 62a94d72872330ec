"""In a cluster: a plan stays in one slot, and the store follows the slot wherever it goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from redis.crc import key_slot

from authguard.errors import StoreError, StoreUnavailable
from authguard.limits import Decision, Outcome, Plan
from authguard.stores import Store, open_store
from authguard.stores.start import Checked
from tests.servers.redis import RedisServer
from tests.servers.redis_cluster import RedisCluster
from tests.stores.redis.plans import attempts, login
from tests.stores.redis.waiting import eventually

SLOT = key_slot(b"{ag}")


@pytest.fixture(scope="module")
def cluster() -> Iterator[RedisCluster]:
    with RedisCluster() as running:
        yield running


@pytest.fixture
def store(cluster: RedisCluster) -> Iterator[Store]:
    opened = open_store(cluster.url, deadline=2_000_000)
    yield opened
    opened.close()


def answers(store: Store) -> bool:
    """Return whether the store decides."""
    try:
        return store.decide(attempts("anybody", limit="1000/1h")).allowed
    except StoreError:
        return False


def test_a_plan_shares_a_slot(store: Store, cluster: RedisCluster) -> None:
    receipt = store.decide(login("one", "two", "three")).receipt
    assert receipt is not None
    assert cluster.ask(cluster.owner_of(SLOT), "CLUSTER COUNTKEYSINSLOT", SLOT) == 4
    assert store.settle(receipt, Outcome.SUCCESS)
    assert cluster.ask(cluster.owner_of(SLOT), "CLUSTER COUNTKEYSINSLOT", SLOT) == 1


def test_tags_spread_over_the_nodes(cluster: RedisCluster) -> None:
    tags = {cluster.owner_of(key_slot(b"{%d}" % number)).port: number for number in range(20)}
    assert len(tags) == 3
    for number in tags.values():
        store = open_store(f"{cluster.url}?tag={number}", deadline=2_000_000)
        assert [store.decide(attempts("a", limit="1/1h")).allowed for _ in range(2)] == [True, False]
        store.close()


def test_a_slot_moves_to_another_node_with_its_counters(store: Store, cluster: RedisCluster) -> None:
    assert [store.decide(attempts("moving")).allowed for _ in range(2)] == [True, True]
    assert store.decide(attempts("asked")).allowed
    source = cluster.owner_of(SLOT)
    target = next(node for node in cluster.nodes if node is not source)
    with cluster.migration(SLOT, source, target) as moved:
        # Half of a plan's keys are here and half there: neither node can decide it, and nothing is charged.
        with pytest.raises(StoreUnavailable, match="TRYAGAIN"):
            store.decide(attempts("moving"))
        moved()
        # Every key is there, but the slot still belongs to the first node, which sends the question on.
        with pytest.raises(StoreUnavailable, match="TRYAGAIN"):
            store.decide(attempts("moving"))
        assert store.forget([b"asked".ljust(16, b".")]) == 1
    assert [store.decide(attempts("moving")).allowed for _ in range(2)] == [True, False]


def test_a_standalone_url_says_that_it_is_the_wrong_one(cluster: RedisCluster) -> None:
    owner = cluster.owner_of(SLOT)
    other = next(node for node in cluster.nodes if node is not owner)
    with pytest.raises(StoreUnavailable, match=r"use redis\+cluster://"):
        open_store(other.url, deadline=2_000_000).decide(attempts("a"))


def test_counts_survive_the_loss_of_a_node(cluster: RedisCluster) -> None:
    first = cluster.nodes[0]
    number = next(n for n in range(100) if cluster.owner_of(key_slot(b"{%d}" % n)) is first)
    store = open_store(f"{cluster.url}?tag={number}", deadline=500_000)
    assert [store.decide(attempts("a")).allowed for _ in range(2)] == [True, True]
    cluster.wait_for_replication(first)
    first.freeze()
    assert not answers(store)
    eventually(lambda: answers(store))
    assert [store.decide(attempts("a")).allowed for _ in range(2)] == [True, False]
    first.thaw()
    store.close()


def tag_elsewhere(cluster: RedisCluster) -> str:
    """Return a tag whose slot another node owns than that of the store's own tag."""
    owner = cluster.owner_of(SLOT)
    return next(str(n) for n in range(100) if cluster.owner_of(key_slot(b"{%d}" % n)) is not owner)


def test_a_layer_apart_lives_on_another_node(cluster: RedisCluster) -> None:
    tag = tag_elsewhere(cluster)
    slot = key_slot(b"{%s}" % tag.encode())
    here, there = cluster.owner_of(SLOT), cluster.owner_of(slot)
    assert there is not here
    store = open_store(f"{cluster.url}?apart={tag}", deadline=6_000_000)
    everybody = replace(attempts("everybody", limit="3/1h").counters[0], apart=True)
    assert cluster.ask(there, "CLUSTER COUNTKEYSINSLOT", slot) == 0

    def ask(name: str) -> Decision:
        return store.decide(Plan((everybody, *attempts(name, limit="1/1h").counters)))

    assert ask("first").allowed
    # Denied by the rest, the reservation is given back: the two below find room.
    assert [ask("first").denied for _ in range(3)] == [("first",)] * 3
    assert cluster.ask(there, "CLUSTER COUNTKEYSINSLOT", slot) == 1 + 4  # the counter, and what each call is known by
    assert [ask(name).denied for name in ("second", "third", "fourth")] == [(), (), ("everybody",)]
    store.close()


def test_each_place_is_found_and_checked_by_its_own_slot(cluster: RedisCluster) -> None:
    tag = tag_elsewhere(cluster)
    here, there = cluster.owner_of(SLOT), cluster.owner_of(key_slot(b"{%s}" % tag.encode()))
    store = open_store(f"{cluster.url}?apart={tag}", deadline=6_000_000)
    everybody = replace(attempts("everybody", limit="3/1h").counters[0], apart=True)
    moved = misled(cluster, here)
    store.decide(Plan((everybody, *attempts("anyone").counters)))
    assert misled(cluster, here) == moved
    assert isinstance(store, Checked)
    assert store.check() == ()
    cluster.ask(there, "CONFIG SET", "maxmemory", 100_000_000, "maxmemory-policy", "allkeys-lru")
    assert [finding.code for finding in store.check()] == ["AG404"]
    cluster.ask(there, "CONFIG SET", "maxmemory", 0, "maxmemory-policy", "noeviction")
    store.close()


def misled(cluster: RedisCluster, node: RedisServer) -> str:
    """Return how often ``node`` was asked for what another one has, in its own words."""
    return str(cluster.ask(node, "INFO", "errorstats").get("errorstat_MOVED"))
