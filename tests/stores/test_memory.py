"""The memory store's own: its bound, its sweep, and its locks across a fork."""

from __future__ import annotations

import os
from threading import Event, Thread

from authguard.clock import SECOND, ManualClock
from authguard.limits import Outcome
from authguard.stores.memory import MemoryStore
from authguard.testing.contract.settling import receipt_of
from authguard.testing.plans import MINUTE, attempts, failures, left, new_key, plan, spend
from tests.stores.harnesses import dump_memory


def test_counters_that_were_emptied_make_room() -> None:
    clock = ManualClock()
    store = MemoryStore(clock, max_keys=50)
    for _ in range(200):
        store.settle(receipt_of(store.decide(plan(failures("5/1m")))), Outcome.SUCCESS)
        clock.advance(SECOND)
    assert len(store) == 0


def test_what_emptied_counters_leave_behind_fills_no_store() -> None:
    clock = ManualClock()
    store = MemoryStore(clock, max_keys=50)
    counter, longest = failures("100/365d"), 0
    for _ in range(500):
        store.settle(receipt_of(store.decide(plan(counter))), Outcome.SUCCESS)
        clock.advance(60 * MINUTE)
        longest = max(longest, len(dump_memory(store)[2]))
    assert len(store) == 0
    assert longest < 100


def test_expired_entries_are_swept_by_the_traffic_alone() -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    for _ in range(500):
        spend(store, attempts("5/1m"), 1)
    clock.advance(MINUTE)
    assert len(store) == 500
    for _ in range(400):
        spend(store, attempts("5/10s"), 1)
        clock.advance(SECOND)
    _, nonces, expiries = dump_memory(store)
    assert len(store) < 20
    assert len(nonces) < 30
    assert len(expiries) < 50


def test_a_counter_in_use_outlives_the_sweep() -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    busy = attempts("100/1m")
    for _ in range(300):
        spend(store, busy, 1)
        clock.advance(SECOND)
    assert left(store, busy) == 100 - 59


def test_a_counter_that_was_emptied_and_charged_again_outlives_its_first_end() -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    counter = failures("5/1m")
    store.settle(receipt_of(store.decide(plan(counter))), Outcome.SUCCESS)
    clock.advance(MINUTE // 2)
    spend(store, counter, 1)
    clock.advance(MINUTE // 2)
    for _ in range(20):
        spend(store, attempts(), 1)
    assert left(store, counter) == 4


def test_a_child_forked_while_a_thread_holds_the_lock_can_go_on() -> None:
    store = MemoryStore(ManualClock())
    held, leave = Event(), Event()

    def hold() -> None:
        with store._turn:
            held.set()
            leave.wait(60)

    thread = Thread(target=hold)
    thread.start()
    assert held.wait(60)
    child = os.fork()
    if child == 0:
        os._exit(0 if store.decide(plan(attempts())).allowed else 1)
    leave.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_key_may_be_forgotten_and_used_again() -> None:
    store = MemoryStore(ManualClock())
    key = new_key()
    spend(store, attempts("5/1m", key), 5)
    assert store.forget([key, key]) == 1
    spend(store, attempts("5/1m", key), 5)
