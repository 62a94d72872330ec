"""Fixtures: one Redis server for all tests of a process, emptied before each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from tests.servers.redis import RedisServer


@pytest.fixture(scope="session")
def server() -> Iterator[RedisServer]:
    """A server that no test stops, hangs or configures."""
    with RedisServer() as running:
        yield running


@pytest.fixture
def client(server: RedisServer) -> Iterator[redis.Redis]:
    """A plain client of the emptied server: what a test looks into the store with."""
    with redis.Redis.from_url(server.url) as opened:
        opened.flushall()
        yield opened
