"""Workers that take slots, each on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable
from queue import Queue
from threading import Event, Thread

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
