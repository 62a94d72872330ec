"""Siege: sixteen threads that never stop guessing, and a record of what each call cost and brought."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from threading import Condition, Event, Thread
from types import TracebackType
from typing import Self

from authguard.errors import StoreError
from authguard.limits import Counter, Decision, Plan
from authguard.policy import FailMode
from authguard.stores.resilient import ResilientStore, Source
from authguard.testing.plans import failures, plan
from tests.faults.metronome import Metronome
from tests.faults.run_queue import RunQueue

THREADS = 16
PAUSE = 0.02
"""Seconds that a thread waits between two calls, so that the threads measure the store and not each other."""
BOUND = 0.1
"""Seconds within which a caller has its answer, whatever the store does."""
LIMIT = 12
WORKERS = 4
SHARE = LIMIT // WORKERS
"""What one process may admit by itself."""


@dataclass(frozen=True, slots=True)
class Call:
    """One guess: when it began, how long it took, who ruled (nobody: answered 503), and whether it was let through.

    ``queued`` is how many of its ``seconds`` the caller was ready to run and was not.
    """

    counter: Counter
    began: float
    seconds: float
    queued: float
    source: Source | None
    allowed: bool


class Siege:
    """Calls ``store`` for the ``targets``, each in turn, from the beginning of the ``with`` block to its end.

    Every call charges what is ``beside`` them as well.
    """

    def __init__(self, store: ResilientStore, mode: FailMode, beside: tuple[Counter, ...] = ()) -> None:
        self.calls: list[Call] = []
        self.targets = [failures(f"{LIMIT}/1h")]
        self._store = store
        self._mode = mode
        self._beside = beside
        self._news = Condition()
        self._over = Event()
        self._metronome = Metronome()
        self._threads = [Thread(target=self._guess, args=(number,), daemon=True) for number in range(THREADS)]

    def add_target(self) -> Counter:
        """Guess at another account as well, of which nobody has heard yet."""
        counter = failures(f"{LIMIT}/1h")
        self.targets.append(counter)
        return counter

    def wait_for(self, source: Source | None, calls: int = 100, seconds: float = 30) -> None:
        """Return once ``calls`` more calls have been ruled by ``source``."""
        begun = len(self.calls)

        def enough() -> bool:
            return sum(call.source is source for call in self.calls[begun:]) >= calls

        with self._news:
            assert self._news.wait_for(enough, seconds), (
                f"{source} ruled fewer than {calls} of {len(self.calls) - begun} calls in {seconds} s"
            )

    def admitted(self, counter: Counter, source: Source | None = None) -> int:
        """Return how many guesses at ``counter`` were let through, by ``source`` or by anybody."""
        return sum(
            call.allowed and call.counter is counter and (source is None or call.source is source)
            for call in self.calls
        )

    def late_calls(self) -> list[str]:
        """Return the calls that took longer than ``BOUND``; nothing where a busy machine explains them.

        With more processes waiting than there are processors, threads that a call depends on are late as well, which no
        figure of its own tells. There one call in a hundred may be late.
        """
        late = [(call, self.cost_of(call)) for call in self.calls if call.seconds > BOUND]
        found = [f"{cost * 1000:.0f} ms by {call.source}" for call, cost in late if cost > BOUND]
        busy = os.getloadavg()[0] > (os.cpu_count() or 1)
        return [] if busy and len(found) <= len(self.calls) // 100 else found

    def cost_of(self, call: Call) -> float:
        """Return how many seconds ``call`` took while the machine was there to serve it.

        Two things are the machine's doing and are taken off: what the kernel made the caller queue for a processor,
        and by how much a thread that only waits for time to pass was late in the same moments (which is what whoever
        held the interpreter's lock was made to queue). On a machine with nothing else to do both are next to nothing.
        """
        return call.seconds - call.queued - self._metronome.lateness(call.began, call.began + call.seconds)

    def __enter__(self) -> Self:
        self._metronome.start()
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(10)
        self._metronome.stop()

    def _guess(self, number: int) -> None:
        turn = number
        with RunQueue() as queue:
            while not self._over.wait(PAUSE):
                counter = self.targets[turn % len(self.targets)]
                turn += 1
                call = self._call(counter, queue)
                with self._news:
                    self.calls.append(call)
                    self._news.notify_all()

    def _call(self, counter: Counter, queue: RunQueue) -> Call:
        asked = plan(counter, *self._beside)
        queued, began = queue.waited(), time.monotonic()
        decision, source = self._decide(asked)
        seconds = time.monotonic() - began
        allowed = source is not None and (decision is None or decision.allowed)
        return Call(counter, began, seconds, queue.waited() - queued, source, allowed)

    def _decide(self, asked: Plan) -> tuple[Decision | None, Source | None]:
        try:
            return self._store.decide(asked, self._mode)
        except StoreError:
            return None, None
