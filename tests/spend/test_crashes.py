"""Crashes: what a killed worker had dispatched is spent, what it had only reserved comes back (S5, S11)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from authguard.spend import SpendDenied
from authguard.testing import StoreUnderTest
from tests.spend.desk import MINUTE, Desk, mobile
from tests.spend.worker import kill_at_work
from tests.stores import harnesses
from tests.stores.test_contract_redis import open_tested

_SHARED = {"sqlite": harnesses.sqlite, "redis": open_tested}


@pytest.fixture(params=list(_SHARED))
def shared_desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A desk over a store that processes share."""
    with _SHARED[request.param]() as tested:
        yield Desk(tested)


def kill(tested: StoreUnderTest, number: int, dispatches: bool) -> bool:
    """Kill a worker that serves a number; return whether it called the provider."""
    return kill_at_work(tested.elsewhere, mobile(number), f"key {number}", dispatches)


def test_a_worker_killed_before_the_dispatch_costs_nothing_for_long(shared_desk: Desk) -> None:
    assert kill(shared_desk.tested, 1, dispatches=False) is False
    assert shared_desk.left("day") == 4999
    shared_desk.tested.advance(2 * MINUTE)
    assert shared_desk.left("day") == 5000
    shared_desk.send(mobile(1), key="key 1")
    assert shared_desk.left("day") == 4999


def test_workers_killed_during_the_provider_s_call_have_spent(shared_desk: Desk) -> None:
    for number in range(3):
        assert kill(shared_desk.tested, number, dispatches=True) is True
    for _ in range(3):
        shared_desk.tested.advance(15 * MINUTE)
        assert (shared_desk.left("day"), shared_desk.left("hour")) == (4997, 497)
    with pytest.raises(SpendDenied, match="lost"):
        shared_desk.send(mobile(1), key="key 1")


def test_the_next_worker_with_the_key_sends_nothing(shared_desk: Desk) -> None:
    assert kill(shared_desk.tested, 1, dispatches=True) is True
    assert kill(shared_desk.tested, 1, dispatches=True) is False
    assert shared_desk.left("day") == 4999
