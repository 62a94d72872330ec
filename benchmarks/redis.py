"""Redis: what a decision costs against a bare script call, and in the server's own time. ``python -m benchmarks.redis``.

E is ``EVALSHA "return 1"`` through redis-py in the same run; every subject is measured in turn, round after round.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator
from time import perf_counter_ns

import redis

from authguard.limits import Algorithm, Counter, Counts, Limit, Outcome, Plan
from authguard.stores.redis import RedisStore
from tests.servers.redis import RedisServer

ROUNDS, CALLS = 11, 300
HOUR = 3_600_000_000
FLOOR = "redis.call('TIME') for i = 1, 4 do redis.call('STRLEN', KEYS[i]) end return 1"
LAYERS = ("id", "ip", "subnet", "global")

Subject = Callable[[], Iterator[Callable[[], object]]]


class Subjects:
    """What is measured: each method yields calls that have been prepared, so that only the store's work is timed."""

    def __init__(self, client: redis.Redis, store: RedisStore) -> None:
        self.client, self.store = client, store
        self.shas = {name: client.script_load(lua) for name, lua in (("evalsha", "return 1"), ("floor", FLOOR))}

    def evalsha(self) -> Iterator[Callable[[], object]]:
        for _ in range(CALLS):
            yield lambda: self.client.evalsha(self.shas["evalsha"], 0)

    def floor(self) -> Iterator[Callable[[], object]]:
        keys = self.filled(0)
        for _ in range(CALLS):
            yield lambda: self.client.evalsha(self.shas["floor"], 4, *keys)

    def layers_4(self, amount: int = 10, counts: Counts = Counts.ATTEMPTS) -> Iterator[Callable[[], object]]:
        """Four exact logs, half full."""
        for plan in self.plans(Limit(amount, HOUR), amount // 2, counts):
            yield lambda plan=plan: self.store.decide(plan)  # type: ignore[misc]

    def layers_4_of_100(self) -> Iterator[Callable[[], object]]:
        return self.layers_4(100)

    def layers_4_of_1000(self) -> Iterator[Callable[[], object]]:
        return self.layers_4(1000)

    def failures_4(self) -> Iterator[Callable[[], object]]:
        return self.layers_4(10, Counts.FAILURES)

    def gcra_4(self) -> Iterator[Callable[[], object]]:
        for plan in self.plans(Limit(10, HOUR, Algorithm.GCRA), 0):
            yield lambda plan=plan: self.store.decide(plan)  # type: ignore[misc]

    def denied(self) -> Iterator[Callable[[], object]]:
        for plan in self.plans(Limit(10, HOUR), 10):
            yield lambda plan=plan: self.store.decide(plan)  # type: ignore[misc]

    def decide_and_settle(self) -> Iterator[Callable[[], object]]:
        for plan in self.plans(Limit(10, HOUR), 5, Counts.FAILURES):
            yield lambda plan=plan: self.settled(plan)  # type: ignore[misc]

    def settled(self, plan: Plan) -> bool:
        """Decide ``plan`` and settle it as a success."""
        receipt = self.store.decide(plan).receipt
        return receipt is not None and self.store.settle(receipt, Outcome.SUCCESS)

    def plans(self, limit: Limit, standing: int, counts: Counts = Counts.ATTEMPTS) -> list[Plan]:
        """Return plans over four counters each, in which ``standing`` charges stand."""
        return [self.plan(limit, self.filled(standing, counts), counts) for _ in range(CALLS)]

    def plan(self, limit: Limit, keys: list[bytes], counts: Counts) -> Plan:
        """Return a login's plan."""
        layers = zip(LAYERS, keys, strict=True)
        counters = tuple(Counter(name, key, limit, counts=counts) for name, key in layers)
        return Plan(counters, client=b"client1", guess=secrets.token_bytes(2), hold=60_000_000)

    def filled(self, standing: int, counts: Counts = Counts.ATTEMPTS) -> list[bytes]:
        """Return four new keys under which ``standing`` charges stand, made a second ago."""
        keys = [secrets.token_bytes(16) for _ in LAYERS]
        at = (time.time_ns() // 1000 - 1_000_000) % 2**48
        entry = at.to_bytes(6, "big") + (b"" if counts is Counts.ATTEMPTS else b"\0another..")
        if standing:
            self.client.mset({b"{ag}" + key: entry * standing for key in keys})
        return keys


def busy(client: redis.Redis) -> float:
    """Return the processor time that the server has used, in microseconds."""
    info = client.info("cpu")
    return 1e6 * float(info["used_cpu_user_main_thread"] + info["used_cpu_sys_main_thread"])


def spent(client: redis.Redis) -> float:
    """Return the microseconds that the server has spent inside scripts."""
    return float(client.info("commandstats")["cmdstat_evalsha"]["usec"])


def measure(subjects: Subjects) -> dict[str, dict[str, float]]:
    """Return for each subject its p50 and p99, and the server's time a call, in microseconds."""
    names = [name for name in vars(Subjects) if not name.startswith("_") and name not in ("plans", "plan", "filled", "settled")]
    times: dict[str, list[int]] = {name: [] for name in names}
    server: dict[str, float] = dict.fromkeys(names, 0.0)
    for _ in range(ROUNDS):
        for name in names:
            calls = list(getattr(subjects, name)())
            calls[0]()
            before = spent(subjects.client)
            for call in calls[1:]:
                start = perf_counter_ns()
                call()
                times[name].append(perf_counter_ns() - start)
            server[name] += spent(subjects.client) - before
    found = {}
    for name, taken in times.items():
        taken.sort()
        found[name] = {
            "p50": taken[len(taken) // 2] / 1e3,
            "p99": taken[len(taken) * 99 // 100] / 1e3,
            "server": server[name] / len(taken),
        }
    return found


def main() -> None:
    """Measure and print."""
    with RedisServer() as server, redis.Redis.from_url(server.url) as client:
        store = RedisStore.from_url(server.url, deadline=1_000_000)
        found = measure(Subjects(client, store))
        store.close()
    print(f"{'':20} {'p50':>8} {'p99':>8} {'server':>8} {'p50/E':>6}")
    for name, row in found.items():
        ratio = row["p50"] / found["evalsha"]["p50"]
        print(f"{name:20} {row['p50']:8.1f} {row['p99']:8.1f} {row['server']:8.1f} {ratio:6.2f}")


if __name__ == "__main__":
    main()
