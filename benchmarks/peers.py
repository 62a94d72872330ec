"""Peers: what others take for four limits that admit; each layer is a call of its own, as their users write it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any

from limits import RateLimitItemPerHour
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter
from pyrate_limiter import Limiter, Rate, RedisBucket
from throttled import RateLimiterType, Throttled, per_hour
from throttled.store import MemoryStore, RedisStore

from benchmarks.plans import LAYERS, STANDING
from benchmarks.rounds import Call, Prepare

AMOUNT = 10

Hit = Callable[[], object]


def memory_peers() -> dict[str, Prepare]:
    """Return the peers that count in the process."""
    store = MemoryStore(options={"MAX_SIZE": 1_000_000})
    return {
        "limits, moving window": _moving_window("memory://"),
        "throttled-py, GCRA": _throttled(RateLimiterType.GCRA, store),
        "throttled-py, sliding window": _throttled(RateLimiterType.SLIDING_WINDOW, store),
    }


def redis_peers(url: str, client: Any) -> dict[str, Prepare]:
    """Return the peers that count in Redis; ``client`` is redis-py's."""
    store = RedisStore(server=url)
    return {
        "limits, moving window": _moving_window(url),
        "throttled-py, GCRA": _throttled(RateLimiterType.GCRA, store),
        "throttled-py, sliding window": _throttled(RateLimiterType.SLIDING_WINDOW, store),
        "pyrate-limiter, log": _pyrate(client),
    }


def _moving_window(url: str) -> Prepare:
    limiter, item = MovingWindowRateLimiter(storage_from_string(url)), RateLimitItemPerHour(AMOUNT)

    def hits() -> list[Hit]:
        key = secrets.token_hex(16)
        return [lambda layer=layer: limiter.hit(item, layer, key) for layer in LAYERS]  # type: ignore[misc]

    return lambda calls: _prepared(hits, calls)


def _throttled(kind: RateLimiterType, store: Any) -> Prepare:
    throttle = Throttled(using=kind.value, quota=per_hour(AMOUNT, burst=AMOUNT), store=store)

    def hits() -> list[Hit]:
        key = secrets.token_hex(16)
        return [lambda layer=layer: not throttle.limit(f"{layer}:{key}").limited for layer in LAYERS]  # type: ignore[misc]

    return lambda calls: _prepared(hits, calls)


def _pyrate(client: Any) -> Prepare:
    rates = [Rate(AMOUNT, 3_600_000)]

    def hits() -> list[Hit]:
        key = secrets.token_hex(16)
        limiters = [Limiter(RedisBucket.init(rates, client, f"{layer}:{key}")) for layer in LAYERS]
        return [lambda limiter=limiter: limiter.try_acquire("one", blocking=False) for limiter in limiters]  # type: ignore[misc]

    return lambda calls: _prepared(hits, calls)


def _prepared(hits: Callable[[], list[Hit]], calls: int) -> Iterator[Call]:
    """Yield calls that hit each of four half full limits, and make sure that they were admitted."""
    for _ in range(calls):
        layers = hits()
        for hit in layers * STANDING:
            assert hit(), "the peer denied a charge that should fit"
        yield lambda layers=layers: [hit() for hit in layers]  # type: ignore[misc]
