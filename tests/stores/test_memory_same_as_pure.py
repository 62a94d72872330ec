"""The memory store and the pure engine give the same answers, whatever is looked up without the engine."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from authguard.clock import ManualClock
from authguard.limits import Algorithm, Outcome, Plan, Receipt
from authguard.stores.memory import MemoryStore
from authguard.stores.memory_look import look
from tests.stores.pure_store import PureStore
from tests.stores.redis.random_plans import ALGORITHMS, World

STORIES = 50
STEPS = 150
WORLDS = (ALGORITHMS, [Algorithm.SLIDING_LOG], [Algorithm.SLIDING_LOG, Algorithm.GCRA])
OUTCOMES = (Outcome.SUCCESS, Outcome.PARTIAL, Outcome.FAILURE)


class Twins:
    """Both stores in one time; each call goes to both, and must come to the same."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.pure = PureStore(self.clock)
        self.memory = MemoryStore(self.clock)
        self.plain = 0
        """How many plans the memory store admitted without asking the engine."""

    def wait(self, elapsed: int) -> None:
        """Let time pass, or step back; what had expired before is gone in both."""
        self.clock.advance(elapsed)
        now, shelf = self.clock.now(), self.memory._shelf
        self.pure.sweep()
        for held in (shelf.logs, shelf.states, shelf.nonces):
            for key in [key for key in held if shelf._look_up(key)[1] <= now]:
                del held[key]

    def decide(self, plan: Plan) -> Receipt | None:
        """Decide ``plan``, having looked first what would happen; return its receipt."""
        assert self.memory.peek(plan) == self.pure.peek(plan)
        known = plan.nonce in self.memory._shelf.nonces
        shelf = self.memory._shelf
        looked = look(plan.counters, shelf.logs.get, shelf.states.get, self.clock.now())
        self.plain += looked is not None and not known
        decision = self.memory.decide(plan)
        assert decision == self.pure.decide(plan)
        return decision.receipt

    def settle(self, receipt: Receipt, outcome: Outcome) -> None:
        """Settle ``receipt``."""
        assert self.memory.settle(receipt, outcome) == self.pure.settle(receipt, outcome)

    def forget(self, plan: Plan) -> None:
        """Forget the counters of ``plan``."""
        keys = [counter.key for counter in plan.counters]
        assert self.memory.forget(keys) == self.pure.forget(keys)


def plainly(plan: Plan) -> Plan:
    """Return ``plan`` with such counters as most have: they count attempts, charged by one under one key."""
    counters = (replace(each, cost=1, charges=True, previous=()) for each in plan.counters)
    return replace(plan, counters=tuple(each for each in counters if each.simple))


@pytest.mark.parametrize("algorithms", WORLDS, ids=["all", "logs", "logs and others"])
def test_every_answer_is_the_same(algorithms: list[Algorithm]) -> None:
    plain = 0
    for seed in range(STORIES):
        twins = Twins()
        tell(twins, Random(seed), algorithms)
        plain += twins.plain
    assert plain > STORIES * STEPS // 50


def tell(twins: Twins, random: Random, algorithms: list[Algorithm]) -> None:
    """Let one story happen to both."""
    world = World(random, algorithms)
    plans: list[Plan] = [world.plan()]
    receipts: list[Receipt] = []
    for _ in range(STEPS):
        twins.wait(world.step())
        act = random.random()
        if act < 0.15 and receipts:
            twins.settle(random.choice(receipts[-4:]), random.choice(OUTCOMES))
        elif act < 0.2:
            twins.decide(random.choice(plans[-4:]))
        elif act < 0.21:
            twins.forget(world.plan())
        else:
            plan = world.plan()
            plans.append(plainly(plan) if act < 0.7 else plan)
            receipt = twins.decide(plans[-1])
            receipts += [receipt] if receipt is not None else []
