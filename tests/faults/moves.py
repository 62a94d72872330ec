"""Moves: the ways in which the counters come to be on another server while the workers go on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from redis.crc import key_slot

from tests.faults.outages import Outage
from tests.servers.redis_cluster import RedisCluster
from tests.servers.redis_sentinel import RedisSentinels

SLOT = key_slot(b"{ag}")


@contextmanager
def failed_over() -> Iterator[Outage]:
    """The master dies before its replica knows everything; the sentinels make the replica the master."""
    with RedisSentinels() as sentinels:
        yield Outage(sentinels.url, sentinels.master.kill, sentinels.wait_for_failover, lost=1)


@contextmanager
def migrated() -> Iterator[Outage]:
    """The slot of all counters moves from one node of a cluster to another, key by key."""
    with RedisCluster() as cluster, ExitStack() as moving:
        source = cluster.owner_of(SLOT)
        target = next(node for node in cluster.nodes if node is not source)

        def begin() -> None:
            move = moving.enter_context(cluster.migration(SLOT, source, target))
            move()

        yield Outage(cluster.url, begin, moving.close)


@contextmanager
def orphaned() -> Iterator[Outage]:
    """The node of a cluster that owns the counters dies, and its replica takes over."""
    with RedisCluster() as cluster:
        first = cluster.nodes[0]
        tag = next(n for n in range(100) if cluster.owner_of(key_slot(b"{%d}" % n)) is first)
        url = f"{cluster.url}?tag={tag}"
        yield Outage(url, first.kill, lambda: cluster.replica.running.wait_for("Failover election won"), lost=1)
