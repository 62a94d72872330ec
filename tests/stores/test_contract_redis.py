"""The Redis store passes the contract suite: the real scripts on a real server, in a time that the tests set."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
import redis

from authguard.clock import ManualClock
from authguard.stores import Store
from authguard.testing import StoreUnderTest
from authguard.testing.contract import SharedStoreContract, StoreContract
from tests.servers.redis import RedisServer
from tests.stores.histories import histories
from tests.stores.redis.stopped_clock import CLOCK, StoppedRedis

_RUNNING: list[RedisServer] = []


class TimedRedis(StoppedRedis):
    """A Redis store that also tells the time that its scripts live in."""

    def now(self) -> int:
        return self.clock.now()


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[None]:
    """One server for all tests of this file."""
    with RedisServer() as running:
        _RUNNING.append(running)
        yield
        _RUNNING.clear()


@contextmanager
def open_tested() -> Iterator[StoreUnderTest]:
    """Give a store on the emptied server."""
    url = _RUNNING[0].url
    clock = ManualClock()
    with redis.Redis.from_url(url) as client:
        client.flushall()
        store = TimedRedis.at(url, clock, client)
        store.tell()

        def advance(microseconds: int) -> None:
            clock.advance(microseconds)
            store.tell()

        yield StoreUnderTest(store, advance, partial(dump, client), partial(open_elsewhere, url))
        store.close()


def dump(client: redis.Redis) -> object:
    """Return every key that has not expired, with its value and its end."""
    now = int(client.get(CLOCK) or 0)
    ends = {key: int(end) for key, end in client.hgetall("{ag}expiries").items() if int(end) > now}
    return {key: (client.get(key), end) for key, end in ends.items()}


def open_elsewhere(url: str) -> Store:
    """Open the store in another process; the server knows the time."""
    return TimedRedis.at(url, ManualClock(), redis.Redis.from_url(url))


class TestRedis(StoreContract, SharedStoreContract):
    @pytest.fixture
    def tested(self) -> Iterator[StoreUnderTest]:
        with open_tested() as tested:
            yield tested


TestRedisHistories = histories(open_tested, examples=25)
