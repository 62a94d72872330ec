"""Threads: whether sixteen threads of one process decide as much as one, and whether any of them waits in a convoy."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import perf_counter_ns
from typing import NamedTuple

from authguard.limits import Plan
from authguard.stores import Store
from authguard.stores.memory import MemoryStore
from authguard.stores.redis import RedisStore
from benchmarks.plans import fresh_keys, plan
from benchmarks.redis import PATIENT
from benchmarks.result import Result
from tests.servers.redis import RedisServer

MANY = 16
DECISIONS = 16_000
ROUNDS = 5


class Throughput(NamedTuple):
    """Decisions a second, and what one took, in microseconds."""

    rate: float
    p50: float
    p99: float


def run() -> Result:
    """Measure one thread and many, in turn; the metrics without a store's name are Redis's, which servers share."""
    rows = [("", "decisions a second", "p50 µs", "p99 µs")]
    with RedisServer() as server:
        stores: dict[str, Store] = {
            "memory": MemoryStore(max_keys=10_000_000),
            "Redis": RedisStore.from_url(server.url, deadline=PATIENT),
        }
        found = {name: _best(store) for name, store in stores.items()}
        stores["Redis"].close()
    for name, pair in found.items():
        for threads, each in zip((1, MANY), pair, strict=True):
            rows.append((f"{name}, {threads} threads", f"{each.rate:,.0f}", f"{each.p50:.1f}", f"{each.p99:.1f}"))
    one, many = found["Redis"]
    metrics = {
        "threads_16_decisions_per_s_over_1": many.rate / one.rate,
        "threads_16_p99_over_p50": many.p99 / many.p50,
        "threads_16_memory_decisions_per_s_over_1": found["memory"][1].rate / found["memory"][0].rate,
        "threads_16_memory_p99_over_p50": found["memory"][1].p99 / found["memory"][1].p50,
    }
    return Result("Threads", rows, metrics)


def _best(store: Store) -> tuple[Throughput, Throughput]:
    """Return the best round of one thread and of many."""
    rounds = [(_decide(store, 1), _decide(store, MANY)) for _ in range(ROUNDS)]
    return max(one for one, _ in rounds), max(many for _, many in rounds)


def _decide(store: Store, threads: int) -> Throughput:
    """Decide as fast as ``threads`` threads can."""
    together = Barrier(threads + 1)

    def work(plans: Sequence[Plan]) -> list[int]:
        store.decide(plan(fresh_keys()))
        together.wait()
        times = []
        for each in plans:
            start = perf_counter_ns()
            store.decide(each)
            times.append(perf_counter_ns() - start)
        return times

    shares = [[plan(fresh_keys()) for _ in range(DECISIONS // threads)] for _ in range(threads)]
    with ThreadPoolExecutor(threads) as pool:
        working = [pool.submit(work, share) for share in shares]
        together.wait()
        start = perf_counter_ns()
        times = sorted(time for each in working for time in each.result())
        seconds = (perf_counter_ns() - start) / 1e9
    return Throughput(len(times) / seconds, times[len(times) // 2] / 1e3, times[len(times) * 99 // 100] / 1e3)
