"""Pacing: the provider's rate holds whoever sends, nothing is dropped, and an outage only makes messages wait."""

from __future__ import annotations

from itertools import pairwise
from threading import Event, Thread

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.delivery import Pace
from authguard.errors import ConfigurationError, StoreUnavailable
from authguard.limits import Decision, Plan
from authguard.stores.memory import MemoryStore


class Wait(Event):
    """An event whose waiting moves a clock instead."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__()
        self.clock = clock
        self.waited: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waited.append(timeout or 0)
        self.clock.advance(round((timeout or 0) * SECOND))
        return self.is_set()


def test_twelve_at_once_leave_at_ten_a_second_whichever_process_asks() -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    processes = [Pace(store, "sms", "10/1s") for _ in range(3)]
    wait = Wait(clock)
    left = []
    for turn in range(12):
        assert processes[turn % 3].queue(wait)
        left.append(clock.now())
    assert [later - earlier for earlier, later in pairwise(left)] == [100_000] * 11


def test_an_idle_queue_lets_one_through_at_once_and_saves_nothing_up() -> None:
    clock = ManualClock()
    pace, wait = Pace(MemoryStore(clock), "sms", "10/1s"), Wait(clock)
    clock.advance(60 * SECOND)
    assert pace.queue(wait)
    assert wait.waited == []
    assert pace.queue(wait)
    assert wait.waited == [0.1]


def test_names_are_queues_of_their_own() -> None:
    clock = ManualClock()
    store, wait = MemoryStore(clock), Wait(clock)
    assert Pace(store, "sms", "1/1s").queue(wait)
    assert Pace(store, "mail", "1/1s").queue(wait)
    assert wait.waited == []


class BrokenStore(MemoryStore):
    """A store that can't be asked the first three times."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(clock)
        self.faults = 3

    def decide(self, plan: Plan) -> Decision:
        if self.faults:
            self.faults -= 1
            raise StoreUnavailable("down")
        return super().decide(plan)


def test_an_outage_makes_messages_wait_at_the_providers_pace() -> None:
    clock = ManualClock()
    wait = Wait(clock)
    assert Pace(BrokenStore(clock), "sms", "10/1s").queue(wait)
    assert wait.waited == [0.1, 0.1, 0.1]


def test_who_gives_up_leaves() -> None:
    clock = ManualClock()
    pace, wait = Pace(MemoryStore(clock), "sms", "1/1h"), Wait(clock)
    assert pace.queue(wait)
    wait.set()
    assert not pace.queue(wait)


class CountingStore(MemoryStore):
    """A store that counts how often it is asked."""

    asked = 0

    def decide(self, plan: Plan) -> Decision:
        self.asked += 1
        return super().decide(plan)


def test_threads_stand_in_line_and_all_leave_and_only_the_first_of_them_asks() -> None:
    store, given_up = CountingStore(), Event()
    pace = Pace(store, "sms", "200/1s")
    turns: list[bool] = []
    threads = [Thread(target=lambda: turns.append(pace.queue(given_up))) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert turns == [True] * 30
    assert store.asked < 30 * 4  # side by side they would ask some 450 times


def test_a_rate_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="pace of 'sms' is wrong"):
        Pace(MemoryStore(), "sms", "fast")
