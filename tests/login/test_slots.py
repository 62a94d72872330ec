"""Slots are bounded, fair and never lost: races, time-outs, cancelled waiters and forks."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from queue import Queue
from threading import Event, Lock, Thread

import pytest

from authguard.errors import Overloaded
from authguard.login.slots import Lane, Slots
from tests.login.slot_rig import PATIENCE, Worker, finish_all


def test_threads_racing_never_hold_more_than_there_are_and_leave_none_behind() -> None:
    slots = Slots(3, waiters=64)
    lock = Lock()
    inside: list[str] = []
    peaks: list[tuple[int, int]] = []
    refused: list[int] = []

    def run(number: int) -> None:
        client = f"client {number % 16}"
        for _ in range(20):
            try:
                with slots.hold(client):
                    with lock:
                        inside.append(client)
                        peaks.append((len(inside), inside.count(client)))
                    Event().wait(0.0002)
                    with lock:
                        inside.remove(client)
            except Overloaded:
                refused.append(number)

    threads = [Thread(target=run, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(peaks) + len(refused) == 32 * 20
    assert refused == []
    assert max(total for total, _ in peaks) == 3
    assert max(of_one for _, of_one in peaks) == 1
    assert (slots._held, list(slots._queue)) == (set(), [])


def test_no_client_holds_more_than_a_quarter_and_its_waiters_delay_nobody() -> None:
    slots = Slots(8, waiters=8)
    entered: Queue[str | None] = Queue()
    greedy = [Worker(slots, "greedy", entered) for _ in range(5)]
    assert len(slots._held) == slots.share == 2
    other = Worker(slots, "other", entered)
    assert [entered.get(timeout=PATIENCE) for _ in range(3)] == ["greedy", "greedy", "other"]
    greedy[0].finish()
    assert entered.get(timeout=PATIENCE) == "greedy"
    for worker in (*greedy[1:], other):
        worker.finish()


def test_a_waiter_whose_client_has_its_share_is_passed_over() -> None:
    slots = Slots(2, waiters=4)
    entered: Queue[str | None] = Queue()
    workers = [Worker(slots, name, entered) for name in ("greedy", "holder", "greedy", "other")]
    assert {entered.get(timeout=PATIENCE) for _ in range(2)} == {"greedy", "holder"}
    workers[1].finish()
    assert entered.get(timeout=PATIENCE) == "other"
    for worker in workers:
        worker.finish()


def test_waiters_are_served_in_the_order_they_came() -> None:
    slots = Slots(1, waiters=4)
    entered: Queue[str | None] = Queue()
    workers = [Worker(slots, name, entered) for name in ("holder", "first", "second", "third")]
    order = []
    for worker in workers:
        order.append(entered.get(timeout=PATIENCE))
        assert entered.empty()
        worker.finish()
    assert order == ["holder", "first", "second", "third"]


def test_waiting_is_bounded_in_number_and_by_client() -> None:
    slots = Slots(1, waiters=8)
    entered: Queue[str | None] = Queue()
    workers = [Worker(slots, "holder", entered)]
    workers += [Worker(slots, "crowd", entered) for _ in range(4)]
    with pytest.raises(Overloaded) as refused, slots.hold("crowd"):
        pass
    assert (refused.value.code, refused.value.retry_after) == ("hash_slots", 1)
    workers += [Worker(slots, f"single {number}", entered) for number in range(2)]
    with pytest.raises(Overloaded), slots.hold("stranger too many"):
        pass
    workers += [Worker(slots, f"known {number}", entered, Lane.KNOWN) for number in range(2)]
    with pytest.raises(Overloaded), slots.hold("known too many", Lane.KNOWN):
        pass
    finish_all(workers)
    assert [worker.refused for worker in workers] == [None] * 9


def test_strangers_leave_a_quarter_to_known_devices() -> None:
    slots = Slots(4, waiters=0)
    with ExitStack() as held:
        for number in range(3):
            held.enter_context(slots.hold(f"stranger {number}"))
        with pytest.raises(Overloaded), slots.hold("one more"):
            pass
        held.enter_context(slots.hold("owner", Lane.KNOWN))
        with pytest.raises(Overloaded), slots.hold("another owner", Lane.KNOWN):
            pass


def test_the_applications_own_work_has_no_share() -> None:
    slots = Slots(4, waiters=0)
    with slots.hold(), slots.hold(), slots.hold():
        assert len(slots._held) == 3


def test_a_wait_in_vain_ends_with_a_code_and_leaks_nothing() -> None:
    slots = Slots(1, waiters=1, wait=0.01)
    with slots.hold("holder"):
        with pytest.raises(Overloaded, match=r"^hash_slots$"), slots.hold("waiter"):
            pass
        assert list(slots._queue) == []
    with slots.hold("waiter"):
        pass


@pytest.mark.parametrize("granted_first", [False, True])
def test_a_cancelled_waiter_leaks_nothing(granted_first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    slots = Slots(1, waiters=1)
    holding = slots.hold("holder")
    holding.__enter__()

    def interrupted(event: Event, timeout: float | None = None) -> bool:
        if granted_first:
            holding.__exit__(None, None, None)
            assert event.is_set()
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Event, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt), slots.hold("waiter"):
            pass
    assert list(slots._queue) == []
    if not granted_first:
        holding.__exit__(None, None, None)
    assert slots._held == set()


def test_a_slot_granted_at_the_last_moment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = Slots(1, waiters=1)
    holding = slots.hold("holder")
    holding.__enter__()

    def late(event: Event, timeout: float | None = None) -> bool:
        holding.__exit__(None, None, None)
        return False

    with monkeypatch.context() as patched:
        patched.setattr(Event, "wait", late)
        with slots.hold("waiter"):
            assert len(slots._held) == 1
    assert slots._held == set()


def test_an_error_inside_gives_the_slot_back() -> None:
    slots = Slots(1, waiters=0)
    with pytest.raises(ZeroDivisionError), slots.hold("one"):
        raise ZeroDivisionError
    with slots.hold("two"):
        pass


FORKING = """
import os
from authguard.login.slots import Slots

slots = Slots(1, waiters=0)
with slots.hold("parent"), slots._lock:
    child = os.fork()
    if child == 0:
        if not slots._lock.acquire(blocking=False):
            os._exit(1)
        slots._lock.release()
        with slots.hold("child"):
            pass
if child == 0:
    os._exit(2 if slots._held else 0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_starts_with_every_slot_free_and_no_lock_held() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", FORKING], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
