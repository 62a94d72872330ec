"""Reservations in Lua and in Python: the same numbers and states, whatever is dispatched, committed or given back."""

from __future__ import annotations

from random import Random

import pytest

from authguard.limits import Outcome, Plan, Receipt
from authguard.limits.decision import ANY_TIME
from tests.stores.redis.random_plans import BUDGETS, World
from tests.stores.redis.test_same_as_pure import Twins, twins

__all__ = ["twins"]

STORIES = 60
STEPS = 120
OUTCOMES = [*Outcome, *[Outcome.DISPATCH] * 6, Outcome.RELEASE, Outcome.RELEASE, Outcome.CANCEL]


@pytest.mark.parametrize("seed", range(STORIES))
def test_every_number_is_the_same(twins: Twins, seed: int) -> None:
    random = Random(seed)
    world = World(random, BUDGETS)
    plans: list[Plan] = []
    receipts: list[Receipt] = []
    for _ in range(STEPS):
        twins.wait(world.step())
        act = random.random()
        if act < 0.5 and receipts:
            settled = random.choice(receipts[-4:])
            if random.random() < 0.2:
                settled = Receipt(settled.plan, settled.stamps, ANY_TIME)
            twins.settle(settled, random.choice(OUTCOMES))
            twins.compare(settled.plan)
        elif act < 0.6 and plans:
            receipt = twins.decide(random.choice(plans[-4:]))
            receipts += [receipt] if receipt is not None else []
        elif act < 0.61:
            twins.forget(world.plan())
        else:
            plans.append(world.plan())
            receipt = twins.decide(plans[-1])
            receipts += [receipt] if receipt is not None else []
        twins.compare(plans[-1] if plans else world.plan())
