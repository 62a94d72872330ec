"""Weight: what a million identities take in the process's memory and in Redis, one counter each."""

from __future__ import annotations

import secrets
import subprocess
import sys
from pathlib import Path

import redis

from authguard.clock import ManualClock
from authguard.limits import Counter, Limit, Plan
from authguard.limits.plan import KEY_SIZE
from authguard.stores.memory import MemoryStore
from authguard.stores.redis import RedisStore
from benchmarks.plans import HOUR
from benchmarks.redis import PATIENT, TAG
from benchmarks.result import Result
from tests.servers.redis import RedisServer

IDENTITIES = 1_000_000
CHARGES = 5
CHUNK = 10_000
STEP = 100
"""Microseconds between two decisions of the process: ten thousand a second, which is more than it can do."""


def run() -> Result:
    """Measure both."""
    in_process = _in_a_process()
    with RedisServer() as server:
        in_redis = _in_redis(server.url)
    rows = [(f"{IDENTITIES:,} identities, {CHARGES} charges each", "MB", "bytes each")]
    rows += [
        (name, f"{taken / 1e6:,.0f}", f"{taken / IDENTITIES:,.0f}")
        for name, taken in (("memory store, the process's own", in_process), ("Redis", in_redis))
    ]
    metrics = {"memory_mb_1m_identities": in_process / 1e6, "redis_mb_1m_identities": in_redis / 1e6}
    return Result("Weight", rows, metrics)


def fill() -> None:
    """Print by how many bytes this process grows when it decides about a million identities."""
    clock = ManualClock()
    store, limit = MemoryStore(clock, max_keys=2 * IDENTITIES), Limit(10, HOUR)
    before = _resident()
    for _ in range(IDENTITIES):
        clock.advance(STEP)
        store.decide(Plan((Counter("id", secrets.token_bytes(KEY_SIZE), limit, CHARGES),)))
    print(_resident() - before)


def _in_a_process() -> int:
    code = "from benchmarks.weight import fill; fill()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return int(done.stdout)


def _resident() -> int:
    """Return this process's resident bytes."""
    kilobytes = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(kilobytes.split()[1]) * 1024


def _in_redis(url: str) -> int:
    """Return by how many bytes Redis grows; the states are copies of one that the store wrote."""
    store, key = RedisStore.from_url(url, deadline=PATIENT), secrets.token_bytes(KEY_SIZE)
    store.decide(Plan((Counter("id", key, Limit(10, HOUR), CHARGES),)))
    store.close()
    with redis.Redis.from_url(url) as client:
        state, before = client.get(TAG + key), int(client.info("memory")["used_memory"])
        for _ in range(IDENTITIES // CHUNK):
            pipeline = client.pipeline(transaction=False)
            for _ in range(CHUNK):
                pipeline.set(TAG + secrets.token_bytes(KEY_SIZE), state, px=HOUR // 1000)
            pipeline.execute()
        return int(client.info("memory")["used_memory"]) - before
