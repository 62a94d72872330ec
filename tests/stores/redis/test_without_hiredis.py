"""Without hiredis the store is slower and says the same."""

from __future__ import annotations

import subprocess
import sys

import redis

from tests.servers.redis import RedisServer

STORY = """
import sys
sys.modules["hiredis"] = None  # what an import finds where it is not installed
from authguard.errors import StoreUnavailable
from authguard.limits import Outcome
from authguard.stores.redis import RedisStore
from authguard.stores.redis_wire import open_reader
from tests.stores.redis.plans import attempts, login

assert open_reader() is None
store = RedisStore.from_url(sys.argv[1], deadline=2_000_000)
assert [store.decide(attempts("a", "b")).allowed for _ in range(4)] == [True, True, True, False]
receipt = store.decide(login("c")).receipt
assert store.settle(receipt, Outcome.SUCCESS) and not store.settle(receipt, Outcome.SUCCESS)
assert store.peek(login("c")).remaining == {"c": 2}
assert store.forget([b"a".ljust(16, b".")]) == 1
assert store.check() == ()
try:
    RedisStore.from_url(sys.argv[1] + "?db=99", deadline=2_000_000).now()
except StoreUnavailable as error:
    assert "refused the login" in str(error), error
"""


def test_the_same_without_hiredis(server: RedisServer, client: redis.Redis) -> None:
    assert client.script_flush()
    subprocess.run([sys.executable, "-W", "error", "-c", STORY, server.url.removesuffix("/0")], check=True)
