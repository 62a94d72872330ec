"""Processes: a store that several share counts for all of them, across forks, and when one of them is killed."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

import multiprocessing
import os
import signal
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection
from threading import Event, Thread

from authguard.limits import Algorithm, Counter, Limit, Outcome
from authguard.stores import Store
from authguard.testing.contract.settling import receipt_of
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import MINUTE, attempts, failures, left, plan, spend

PROCESSES = 8
PATIENCE = 60
_SPAWN = multiprocessing.get_context("spawn")


def race(elsewhere: Callable[[], Store], counters: tuple[Counter, ...], tries: int, pipe: Connection) -> None:
    """Open the store, wait for the word, decide ``tries`` times, and send back how many were admitted."""
    store = elsewhere()
    pipe.send("ready")
    pipe.recv()
    pipe.send(sum(store.decide(plan(*counters)).allowed for _ in range(tries)))
    store.close()


def hang(elsewhere: Callable[[], Store], counters: tuple[Counter, ...], pipe: Connection) -> None:
    """Charge once and never settle."""
    pipe.send(elsewhere().decide(plan(*counters)).allowed)
    Event().wait()


def hear(pipe: Connection) -> object:
    """Return what the other process sends."""
    assert pipe.poll(PATIENCE), "the other process does not answer"
    return pipe.recv()


class Processes:
    """Tests with processes."""

    def test_8_processes_leave_exactly_the_limit(self, tested: StoreUnderTest) -> None:
        counters = attempts("500/1h"), failures("101/1h")
        pipes, children = [], []
        for _ in range(PROCESSES):
            pipe, far = _SPAWN.Pipe()
            child = _SPAWN.Process(target=race, args=(tested.elsewhere, counters, 40, far))
            child.start()
            pipes.append(pipe)
            children.append(child)
        assert [hear(pipe) for pipe in pipes] == ["ready"] * PROCESSES
        for pipe in pipes:
            pipe.send("go")
        admitted = [hear(pipe) for pipe in pipes]
        for child in children:
            child.join(PATIENCE)
        assert [child.exitcode for child in children] == [0] * PROCESSES
        assert sum(number for number in admitted if isinstance(number, int)) == 101
        assert [left(tested.store, counter) for counter in counters] == [399, 0]

    def test_the_charge_of_a_killed_process_stands(self, tested: StoreUnderTest) -> None:
        counter = failures("5/1h")
        pipe, far = _SPAWN.Pipe()
        child = _SPAWN.Process(target=hang, args=(tested.elsewhere, (counter,), far))
        child.start()
        assert hear(pipe) is True
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join(PATIENCE)
        assert left(tested.store, counter) == 4
        spend(tested.store, counter, 4)
        assert not tested.store.decide(plan(counter)).allowed

    def test_a_store_opened_before_a_fork_counts_on_both_sides(self, tested: StoreUnderTest) -> None:
        counter, other = attempts("50/1h"), attempts(Limit(1_000_000, MINUTE, Algorithm.FIXED_WINDOW))
        spend(tested.store, counter, 1)
        stop = Event()
        busy = Thread(target=_keep_busy, args=(tested.store, other, stop))
        busy.start()
        try:
            codes = [_fork(lambda: spend(tested.store, counter, 3)) for _ in range(5)]
            spend(tested.store, counter, 1)
        finally:
            stop.set()
            busy.join(PATIENCE)
        assert codes == [0] * 5
        assert left(tested.store, counter) == 50 - 1 - 5 * 3 - 1

    def test_an_attempt_may_be_settled_by_another_process(self, tested: StoreUnderTest) -> None:
        counter = failures("5/1h")
        receipt = receipt_of(tested.store.decide(plan(counter)))

        def settle() -> None:
            assert tested.store.settle(receipt, Outcome.SUCCESS)

        assert _fork(settle) == 0
        assert left(tested.store, counter) == 5
        assert tested.store.settle(receipt, Outcome.SUCCESS) is False


def _keep_busy(store: Store, counter: Counter, stop: Event) -> None:
    while not stop.is_set():
        store.decide(plan(counter))


def _fork(action: Callable[[], None]) -> int:
    """Run ``action`` in a forked child; return its exit code, 0 when nothing was raised."""
    with warnings.catch_warnings():
        # That threads are running is the point: a pre-forking server's master may have some.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            action()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
