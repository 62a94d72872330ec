"""Growth: whether a decision costs more where there are many counters, or where a limit is large."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial

import redis

from authguard.limits import Limit
from authguard.stores import Store
from authguard.stores.memory import MemoryStore
from authguard.stores.redis import RedisStore
from benchmarks.plans import HOUR, LAYERS, decisions, fresh_keys, plan
from benchmarks.redis import PATIENT, TAG
from benchmarks.result import Panel, Result
from benchmarks.rounds import Call, Prepare, measure
from tests.servers.redis import RedisServer

KEYS = (1_000, 10_000, 100_000, 1_000_000)
AMOUNTS = (10, 30, 100, 300, 1_000)
STORES = ("memory", "Redis")
ROOMY = Limit(500, HOUR)
CHUNK = 10_000
LIFE = 7_200_000
"""Milliseconds that a key lives which was written past the store."""

Curves = dict[str, list[float]]
"""The p50 in microseconds at each point, by the store's name."""


def run() -> Result:
    """Measure both; each metric is that of the store in which the decision grows more."""
    keys, amounts = over_keys(), over_amounts()
    rows = [("", *(f"{number:,} keys" for number in KEYS)), *_rows(keys)]
    rows += [("", *(f"{amount:,} an hour" for amount in AMOUNTS)), *_rows(amounts)]
    metrics = {
        "growth_1k_to_1m_keys": max(curve[-1] / curve[0] for curve in keys.values()),
        "growth_limit_10_to_1000": max(curve[-1] / curve[0] for curve in amounts.values()),
    }
    return Result("Growth (p50 µs)", rows, metrics, (Panel("keys", KEYS, keys), Panel("limit", AMOUNTS, amounts)))


def over_keys() -> Curves:
    """Return the costs over ever more counters, each number of them in a store of its own."""
    with ExitStack() as opened:
        subjects: dict[str, Prepare] = {}
        for number in KEYS:
            keys = [key for _ in range(number // len(LAYERS)) for key in fresh_keys()]
            subjects[f"memory {number}"] = _anywhere(_fill_memory(keys), keys)
            server = opened.enter_context(RedisServer())
            subjects[f"Redis {number}"] = _anywhere(_fill_redis(server.url, keys, opened), keys)
        found = measure(subjects, rounds=21)
    return {name: [found[f"{name} {number}"].p50 for number in KEYS] for name in STORES}


def over_amounts() -> Curves:
    """Return the costs of ever larger limits, whose logs are half full."""
    with RedisServer() as server:
        store = RedisStore.from_url(server.url, deadline=PATIENT)
        places: dict[str, Store] = {"memory": MemoryStore(), "Redis": store}
        subjects = {
            f"{name} {amount}": decisions(places[name], amount // 2, Limit(amount, HOUR))
            for amount in AMOUNTS
            for name in STORES
        }
        found = measure(subjects, rounds=21)
        store.close()
    return {name: [found[f"{name} {amount}"].p50 for amount in AMOUNTS] for name in STORES}


def _rows(curves: Curves) -> list[tuple[str, ...]]:
    return [(name, *(f"{p50:.1f}" for p50 in curve)) for name, curve in curves.items()]


def _anywhere(store: Store, keys: Sequence[bytes]) -> Prepare:
    """Return decisions that charge four of ``keys``, taken by chance, which charge the same few hardly twice."""

    def prepare(calls: int) -> Iterator[Call]:
        for _ in range(calls):
            yield partial(store.decide, plan(random.sample(keys, len(LAYERS)), ROOMY))

    return prepare


def _fill_memory(keys: Sequence[bytes]) -> MemoryStore:
    store = MemoryStore(max_keys=2 * KEYS[-1])
    for start in range(0, len(keys), len(LAYERS)):
        store.decide(plan(keys[start : start + len(LAYERS)], ROOMY))
    return store


def _fill_redis(url: str, keys: Sequence[bytes], opened: ExitStack) -> RedisStore:
    """Return a store whose counters were copied from one that it wrote: to decide a million would take minutes."""
    store = RedisStore.from_url(url, deadline=PATIENT)
    opened.callback(store.close)
    store.decide(plan(keys[: len(LAYERS)], ROOMY))
    with redis.Redis.from_url(url) as client:
        state = client.get(TAG + keys[0])
        for start in range(0, len(keys), CHUNK):
            pipeline = client.pipeline(transaction=False)
            for key in keys[start : start + CHUNK]:
                pipeline.set(TAG + key, state, px=LIFE)
            pipeline.execute()
    return store
