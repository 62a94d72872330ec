"""Slots are bounded, fair and never lost: races, time-outs, cancelled waiters and forks."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from queue import Queue
from threading import Event, Lock, Thread

import pytest

from authguard.errors import Overloaded
from authguard.login.slots import Lane, Slots

PATIENCE = 10.0


class Worker:
    """A thread that takes a slot, says so, and keeps it until told to leave."""

    def __init__(
        self, slots: Slots, client: str | None, entered: Queue[str | None], lane: Lane = Lane.STRANGERS
    ) -> None:
        self._leave = Event()
        self.refused: Overloaded | None = None
        self._thread = Thread(target=self._run, args=(slots, client, entered, lane))
        waiting = len(slots._queue)
        held = len(slots._held)
        self._thread.start()
        wait_until(lambda: len(slots._queue) > waiting or len(slots._held) > held or not self._thread.is_alive())

    def _run(self, slots: Slots, client: str | None, entered: Queue[str | None], lane: Lane) -> None:
        try:
            with slots.hold(client, lane):
                entered.put(client)
                assert self._leave.wait(PATIENCE)
        except Overloaded as error:
            self.refused = error

    def release(self) -> None:
        self._leave.set()

    def finish(self) -> None:
        self.release()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def finish_all(workers: list[Worker]) -> None:
    """Have all of them leave, in whichever order they are served."""
    for worker in workers:
        worker.release()
    for worker in workers:
        worker.finish()


def wait_until(condition: Callable[[], bool]) -> None:
    """Wait, without spinning, until ``condition`` holds."""
    tick = Event()
    for _ in range(int(PATIENCE / 0.002)):
        if condition():
            return
        tick.wait(0.002)
    raise AssertionError("it never happened")


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
