"""Whose turn it is: few slots go around among the clients that wait for them."""

from __future__ import annotations

from queue import Queue

import pytest

from authguard.errors import Overloaded
from authguard.login.slots import Slots
from tests.login.slot_rig import PATIENCE, Worker, finish_all


def test_one_slot_goes_around_among_the_clients_that_wait_for_it() -> None:
    slots = Slots(1, waiters=8)
    entered: Queue[str | None] = Queue()
    names = ["greedy", "greedy", "greedy", "greedy", "other", "third", "other"]
    workers = [Worker(slots, name, entered) for name in names]
    order = []
    for turn in (0, 4, 5, 1, 6, 2, 3):
        order.append(entered.get(timeout=PATIENCE))
        workers[turn].finish()
    assert order == ["greedy", "other", "third", "greedy", "other", "greedy", "greedy"]


def test_newcomers_without_end_keep_nobody_waiting_for_ever() -> None:
    slots = Slots(1, waiters=4)
    entered: Queue[str | None] = Queue()
    workers = [Worker(slots, name, entered) for name in ("office", "office", "newcomer", "newcomer 2")]
    order = [entered.get(timeout=PATIENCE)]
    workers[0].finish()
    for number in range(3, 8):
        order.append(entered.get(timeout=PATIENCE))
        if order[-1] == "office":
            break
        workers.append(Worker(slots, f"newcomer {number}", entered))
        workers[number - 1].finish()
    assert order == ["office", "newcomer", "newcomer 2", "newcomer 3", "office"]
    finish_all(workers)


def test_one_client_takes_half_of_the_places_to_wait_at_most() -> None:
    slots = Slots(1, waiters=4)
    entered: Queue[str | None] = Queue()
    workers = [Worker(slots, "greedy", entered) for _ in range(3)]
    with pytest.raises(Overloaded), slots.hold("greedy"):
        pass
    workers.append(Worker(slots, "other", entered))
    finish_all(workers)
    assert [worker.refused for worker in workers] == [None] * 4
