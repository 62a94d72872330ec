"""Redis: what a decision costs against a bare script call, against others, and in the server's own time.

E is ``EVALSHA "return 1"`` through redis-py in the same run.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import redis

from authguard.limits import Algorithm, Counts, Limit
from authguard.stores.redis import RedisStore
from benchmarks.peers import redis_peers
from benchmarks.plans import HOUR, TEN, decisions, fresh_keys, plan, settlements
from benchmarks.result import Result, tabulate_spreads
from benchmarks.rounds import Call, Prepare, Spread, Used, measure
from tests.servers.redis import RedisServer

FLOOR = "redis.call('TIME') for i = 1, 4 do redis.call('STRLEN', KEYS[i]) end return 1"
TAG = b"{ag}"
SIZES = (5, 100, 500)
PATIENT = 1_000_000
"""A deadline in microseconds that a busy machine keeps: what is measured is cost, not faults."""


def run() -> Result:
    """Start a server, measure, and compare."""
    with RedisServer() as server, redis.Redis.from_url(server.url) as client:
        store = RedisStore.from_url(server.url, deadline=PATIENT)
        subjects = {**floors(client), **ours(store), **redis_peers(server.url, client)}
        spreads = measure(subjects, scripts_of(client), rounds=21)
        sizes = {f"redis_bytes_key_{size}": float(bytes_of_key(client, store, size)) for size in SIZES}
        store.close()
    return tabulate_spreads("Four layers in Redis", spreads, "E", {**compare(spreads), **sizes}, server=True)


def ours(store: RedisStore) -> dict[str, Prepare]:
    """Return what is measured of ours: four exact logs, half full unless said otherwise."""
    return {
        "authguard": decisions(store),
        "authguard, denied": decisions(store, TEN.amount),
        "authguard, 100 an hour": decisions(store, 50, Limit(100, HOUR)),
        "authguard, 1,000 an hour": decisions(store, 500, Limit(1000, HOUR)),
        "authguard, GCRA": decisions(store, limit=Limit(10, HOUR, Algorithm.GCRA)),
        "authguard, failures": decisions(store, counts=Counts.FAILURES),
        "authguard, failures decided and settled": settlements(store),
    }


def floors(client: Any) -> dict[str, Prepare]:
    """Return E, and a script that reads as many keys as a plan has and does nothing with them."""

    def prepare(script: str, keys: int) -> Prepare:
        sha = client.script_load(script)
        return lambda calls: [call(sha, fresh_keys()[:keys]) for _ in range(calls)]

    def call(sha: str, keys: list[bytes]) -> Call:
        return partial(client.evalsha, sha, len(keys), *(TAG + key for key in keys))

    return {"E": prepare("return 1", 0), "floor": prepare(FLOOR, 4)}


def compare(spreads: dict[str, Spread]) -> dict[str, float]:
    """Return the figures that goals are set for."""
    bare, four = spreads["E"].p50, spreads["authguard"]
    return {
        "redis_4_layers_over_evalsha": four.p50 / bare,
        "redis_decide_and_settle_over_evalsha": spreads["authguard, failures decided and settled"].p50 / bare,
        "redis_denied_over_evalsha": spreads["authguard, denied"].p50 / bare,
        "redis_server_cpu_us": four.used,
        "redis_server_cpu_over_floor": four.used / spreads["floor"].used,
        "limits_over_ours_redis_4_layers": spreads["limits, moving window"].p50 / four.p50,
    }


def bytes_of_key(client: Any, store: RedisStore, charges: int) -> int:
    """Return what a log of ``charges`` entries takes that were charged one by one."""
    keys, limit = fresh_keys(), Limit(charges, HOUR)
    for _ in range(charges):
        assert store.decide(plan(keys, limit)).allowed
    return int(client.memory_usage(TAG + keys[0]))


def scripts_of(client: Any) -> Used:
    """Return what says for how many microseconds the server has run scripts."""

    def used() -> float:
        return float(client.info("commandstats").get("cmdstat_evalsha", {}).get("usec", 0))

    return used
