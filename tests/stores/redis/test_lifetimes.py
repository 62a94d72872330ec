"""What is left on the server, by its own clock: short keys that all expire, and nothing of a denied request."""

from __future__ import annotations

import pytest
import redis

from authguard.limits import Algorithm, Counter, Limit, Plan
from authguard.stores.redis import RedisStore
from tests.servers.redis import RedisServer
from tests.stores.redis.plans import HOUR, attempts, login

MS = 1_000


@pytest.fixture
def store(server: RedisServer) -> RedisStore:
    return RedisStore.from_url(server.url, deadline=2_000_000)


LIMITS = {
    Algorithm.SLIDING_LOG: (Limit(5, HOUR), HOUR),
    Algorithm.FIXED_WINDOW: (Limit(5, HOUR, Algorithm.FIXED_WINDOW), HOUR),
    Algorithm.SLIDING_COUNTER: (Limit(5, HOUR, Algorithm.SLIDING_COUNTER), 2 * HOUR),
    Algorithm.TOKEN_BUCKET: (Limit(5, HOUR, Algorithm.TOKEN_BUCKET), HOUR // 5),
    Algorithm.LEAKY_BUCKET: (Limit(5, HOUR, Algorithm.LEAKY_BUCKET), HOUR // 5),
    Algorithm.GCRA: (Limit(5, HOUR, Algorithm.GCRA), HOUR // 5),
    Algorithm.BACKOFF: (Limit.backoff(0, HOUR // 2, HOUR), 2 * HOUR),
    Algorithm.DISTINCT: (Limit(5, HOUR, Algorithm.DISTINCT), HOUR),
}


@pytest.mark.parametrize("algorithm", LIMITS)
def test_every_key_expires(store: RedisStore, client: redis.Redis, algorithm: Algorithm) -> None:
    limit, longest = LIMITS[algorithm]
    member = b"member1" if algorithm is Algorithm.DISTINCT else bytes(7)
    plan = Plan((Counter("a", b"a" * 16, limit, member=member),), hold=60_000_000)
    assert store.decide(plan).allowed
    assert sorted(client.keys()) == sorted([b"{ag}" + b"a" * 16, b"{ag}" + plan.nonce])
    lasts, remembered = client.pttl(b"{ag}" + b"a" * 16), client.pttl(b"{ag}" + plan.nonce)
    assert 0 < lasts <= longest // MS + 1
    # Windows are aligned to the epoch, so only they may end early.
    assert lasts > longest // MS - 5_000 or "window" in algorithm or "counter" in algorithm
    assert 55_000 < remembered <= 60_001


def test_a_denied_flood_leaves_no_trace(store: RedisStore, client: redis.Redis) -> None:
    while store.decide(attempts("full", "open")).allowed:
        pass
    before = {key: (client.get(key), client.pexpiretime(key)) for key in client.scan_iter()}
    for number in range(50):
        assert not store.decide(attempts("open", "full", f"new{number}")).allowed
        assert not store.peek(attempts("full")).allowed
    assert {key: (client.get(key), client.pexpiretime(key)) for key in client.scan_iter()} == before


def test_looking_leaves_no_trace(store: RedisStore, client: redis.Redis) -> None:
    assert store.peek(login("a", "b")).allowed
    assert client.dbsize() == 0


@pytest.mark.parametrize(("amount", "most"), [(5, 136), (100, 728), (500, 3_160)])
def test_a_log_is_small(store: RedisStore, client: redis.Redis, amount: int, most: int) -> None:
    for _ in range(amount):
        assert store.decide(attempts("a", limit=f"{amount}/1h")).allowed
    assert 0 < (client.memory_usage(b"{ag}" + b"a".ljust(16, b".")) or 0) <= most
