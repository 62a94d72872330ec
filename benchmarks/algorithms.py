"""Algorithms: what each way of counting costs, four layers of it in one decision, in the process and in Redis."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from authguard.clock import SECOND
from authguard.limits import Algorithm, Counts, Limit
from authguard.stores import Store
from authguard.stores.memory import MemoryStore
from authguard.stores.redis import RedisStore
from benchmarks.plans import HOUR, fresh_keys, plan
from benchmarks.redis import PATIENT
from benchmarks.result import Result
from benchmarks.rounds import Call, Prepare, measure
from tests.servers.redis import RedisServer

CHARGED = 3
"""Decisions made before the one that is measured, so that there is a state to read."""


def run() -> Result:
    """Measure every algorithm in both stores."""
    limits = {str(algorithm): (_limit(algorithm), Counts.ATTEMPTS) for algorithm in Algorithm}
    for algorithm in (Algorithm.SLIDING_LOG, Algorithm.DISTINCT):
        limits[f"{algorithm} of failures"] = _limit(algorithm), Counts.FAILURES
    with RedisServer() as server:
        redis = RedisStore.from_url(server.url, deadline=PATIENT)
        stores: dict[str, Store] = {"memory": MemoryStore(), "Redis": redis}
        subjects = {f"{name}, {place}": _prepare(stores[place], *limits[name]) for name in limits for place in stores}
        found = measure(subjects, rounds=7)
        redis.close()
    rows = [("four layers of", *(f"{place} µs" for place in stores))]
    rows += [(name, *(f"{found[f'{name}, {place}'].p50:.1f}" for place in stores)) for name in limits]
    return Result("Each algorithm", rows)


def _prepare(store: Store, limit: Limit, counts: Counts) -> Prepare:
    """Return decisions over four counters that hold charges; a backoff holds none, else it would refuse."""

    def prepare(calls: int) -> Iterator[Call]:
        for _ in range(calls):
            keys = fresh_keys()
            for _ in range(0 if limit.gaps else CHARGED):
                assert store.decide(plan(keys, limit, counts)).allowed
            yield partial(store.decide, plan(keys, limit, counts))

    return prepare


def _limit(algorithm: Algorithm) -> Limit:
    return Limit.backoff(SECOND, 60 * SECOND) if algorithm is Algorithm.BACKOFF else Limit(10, HOUR, algorithm)
