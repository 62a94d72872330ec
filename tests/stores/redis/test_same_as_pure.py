"""The scripts and the pure engine give the same numbers for everything, whatever happens in whatever order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
import redis

from authguard.clock import ManualClock
from authguard.limits import Algorithm, Counter, Counts, Limit, Outcome, Plan, Receipt
from authguard.stores import redis_row
from tests.servers.redis import RedisServer
from tests.stores.pure_store import PureStore
from tests.stores.redis.random_plans import ALGORITHMS, World
from tests.stores.redis.stopped_clock import StoppedRedis

STORIES = 60
STEPS = 120
OUTCOMES = (Outcome.SUCCESS, Outcome.PARTIAL, Outcome.FAILURE)


class Twins:
    """The pure store and the Redis store in one time; each call goes to both and must give the same."""

    def __init__(self, url: str, client: redis.Redis) -> None:
        self.clock = ManualClock()
        self.pure = PureStore(self.clock)
        self.scripts = StoppedRedis.at(url, self.clock, client)
        self.lazy = False
        """Whether logs may still hold what stands no longer in front of what does."""

    def wait(self, elapsed: int) -> None:
        """Let time pass, or step back."""
        self.clock.advance(elapsed)
        self.pure.sweep()
        self.scripts.tell()

    def decide(self, plan: Plan) -> Receipt | None:
        """Decide ``plan``, having looked first what would happen; return its receipt."""
        assert self.scripts.peek(plan) == self.pure.peek(plan)
        decision = self.pure.decide(plan)
        assert self.scripts.decide(plan) == decision
        return decision.receipt

    def settle(self, receipt: Receipt, outcome: Outcome) -> None:
        """Settle ``receipt``."""
        assert self.scripts.settle(receipt, outcome) == self.pure.settle(receipt, outcome)

    def compare(self, plan: Plan) -> None:
        """Look at what both hold: the same states, byte for byte, which expire at the same time."""
        keys = [key for counter in plan.counters for key in (counter.key, *counter.previous)]
        for key in keys:
            state, expires = self.pure.held(key)
            held = self.scripts.client.get(b"{ag}" + key)
            if self.lazy and state is not None and held is not None:
                held = held[-len(state) :]
            assert held == state
            assert state is None or self.scripts.client.hget("{ag}expiries", b"{ag}" + key) == b"%d" % expires

    def forget(self, plan: Plan) -> None:
        """Forget the counters of ``plan``."""
        keys = [counter.key for counter in plan.counters]
        self.pure.forget(keys)
        self.scripts.forget(keys)


@pytest.fixture
def twins(server: RedisServer, client: redis.Redis) -> Iterator[Twins]:
    both = Twins(server.url, client)
    yield both
    both.scripts.close()


@pytest.mark.parametrize("seed", range(STORIES))
def test_every_number_is_the_same(twins: Twins, seed: int) -> None:
    tell(twins, seed)


@pytest.mark.parametrize("seed", range(STORIES // 2))
def test_logs_that_are_not_read_as_a_whole(twins: Twins, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_row, "LONG", 1)
    twins.lazy = True
    tell(twins, seed, algorithms=[Algorithm.SLIDING_LOG])


@pytest.mark.parametrize("long", [500, 1], ids=["whole", "in places"])
@pytest.mark.parametrize("counts", [Counts.ATTEMPTS, Counts.FAILURES])
def test_every_boundary_of_a_log(twins: Twins, counts: Counts, long: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_row, "LONG", long)
    limit, start = Limit(6, 1_000), twins.clock.now()

    def plan() -> Plan:
        return Plan((Counter("log", b"k" * 16, limit, counts=counts),), hold=1_000)

    for _ in range(6):
        twins.wait(100)
        twins.decide(plan())
    for at in range(1_000, 1_800):
        twins.wait(start + at - twins.clock.now())
        looking = plan()
        assert twins.scripts.peek(looking) == twins.pure.peek(looking)


def tell(twins: Twins, seed: int, algorithms: Sequence[Algorithm] = ALGORITHMS) -> None:
    """Let one story happen to both."""
    random = Random(seed)
    world = World(random, algorithms)
    plans: list[Plan] = []
    receipts: list[Receipt] = []
    for _ in range(STEPS):
        twins.wait(world.step())
        act = random.random()
        if act < 0.35 and receipts:
            settled = random.choice(receipts[-4:])
            twins.settle(settled, random.choice(OUTCOMES))
            twins.compare(settled.plan)
        elif act < 0.4 and plans:
            twins.decide(random.choice(plans[-4:]))
        elif act < 0.41:
            twins.forget(world.plan())
        else:
            plans.append(world.plan())
            receipt = twins.decide(plans[-1])
            if receipt is not None:
                receipts.append(receipt)
        twins.compare(plans[-1] if plans else world.plan())
