"""The rig on each store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from authguard.clock import SECOND, ManualClock
from authguard.stores.memory import MemoryStore
from authguard.stores.sqlite import SQLiteStore
from authguard.stores.url import open_store
from tests.otp.rig import Rig
from tests.servers.redis import RedisServer


@pytest.fixture
def rig() -> Iterator[Rig]:
    """Codes over a store in memory."""
    made = Rig()
    yield made
    made.close()


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """One server for all tests of a process."""
    with RedisServer() as server:
        yield server.url


@pytest.fixture(params=["memory", "sqlite", "redis"])
def any_rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Codes over each store; Redis's clock can't be moved, so tests of time use :func:`rig`."""
    with tempfile.TemporaryDirectory() as folder:
        clock = ManualClock()
        if request.param == "memory":
            made = Rig(MemoryStore(clock), clock.advance)
        elif request.param == "sqlite":
            made = Rig(SQLiteStore(Path(folder, "store.db"), deadline=30 * SECOND, clock=clock), clock.advance)
        else:
            url = request.getfixturevalue("redis_url")
            with redis.Redis.from_url(url) as client:
                client.flushall()
            made = Rig(open_store(url, deadline=30 * SECOND))
        yield made
        made.close()
