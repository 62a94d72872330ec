"""Sender: messages leave in the background, so that no answer waits for a provider or tells whether it was called."""

from __future__ import annotations

import atexit
import os
import queue
import weakref
from collections.abc import Callable, Iterator, Mapping
from threading import Condition, Event, Lock, Thread
from time import monotonic

from authguard.delivery.dispatch import Dispatch, Route
from authguard.delivery.job import Job
from authguard.delivery.message import Channel
from authguard.delivery.spending import Free, Spending
from authguard.errors import Overloaded
from authguard.events import MessageFailed, Observer

DRAIN = 10.0
"""Seconds that a process which ends gives its messages to leave."""
RETRY_AFTER = 5
"""Seconds after which a client may come back to a full queue or a spent channel."""


class Place:
    """A place in the queue, taken before anybody looks whether there is something to send."""

    def __init__(self, fill: Callable[[Job], None], leave: Callable[[], None]) -> None:
        self._fill: Callable[[Job], None] | None = fill
        self._leave = leave

    def fill(self, job: Job) -> None:
        """Put ``job`` there."""
        fill, self._fill = self._fill, None
        if fill is None:
            raise ValueError("a place in the queue is filled once")
        fill(job)

    def leave(self) -> None:
        """Give the place back if nothing was put there."""
        if self._fill is not None:
            self._fill = None
            self._leave()


class Sender:
    """A bounded queue with threads of its own, started by the first message of each process.

    ``routes`` say how each channel delivers. At most ``capacity`` messages wait or are on their way; strangers leave
    ``known_share`` of that to known users (law 6). What can't be sent is an event, never silence.
    """

    def __init__(
        self,
        routes: Mapping[Channel, Route],
        observer: Observer,
        spending: Spending | None = None,
        *,
        capacity: int = 1000,
        known_share: float = 0.2,
        threads: int = 2,
    ) -> None:
        self._dispatch = Dispatch(routes, spending or Free(), observer)
        self._observer = observer
        self._capacity = capacity
        self._open_to_strangers = capacity - max(1, round(capacity * known_share))
        self._count = threads
        self._reset()
        itself = weakref.ref(self)
        atexit.register(_drain, itself)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: _forget(itself))

    def reserve(self, channel: Channel, known: bool = False) -> Place:
        """Take a place in the queue, to be filled or left.

        Raises ``Overloaded`` where there is none, and where ``channel`` is spent or has no route: before the account
        is looked at, and to everyone alike (law 8).
        """
        self._dispatch.refuse_spent(channel, known)
        with self._lock:
            room = self._capacity if known else self._open_to_strangers
            if self._taken >= room or self._closing.is_set():
                raise Overloaded("messages", retry_after=RETRY_AFTER)
            self._taken += 1
        return Place(self._put, self._leave)

    def close(self, seconds: float = DRAIN) -> int:
        """Take no more messages and let those that wait leave; return how many were lost, each also an event."""
        self._closing.set()
        until = monotonic() + seconds
        self._empty_by(until)
        self._given_up.set()
        lost = [job for job in self._rest() if job is not None]
        for job in lost:
            self._observer.observe(MessageFailed(job.channel, job.purpose, "lost"))
            self._leave()
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join(max(0.1, until - monotonic()))
        return len(lost)

    def _rest(self) -> Iterator[Job | None]:
        while True:
            try:
                yield self._queue.get_nowait()
            except queue.Empty:
                return

    def drain(self, seconds: float = DRAIN) -> bool:
        """Wait until nothing waits or is on its way; ``False`` when that took longer than ``seconds``."""
        return self._empty_by(monotonic() + seconds)

    def _empty_by(self, until: float) -> bool:
        with self._idle:
            return self._idle.wait_for(lambda: self._taken == 0, max(0.0, until - monotonic()))

    def _put(self, job: Job) -> None:
        with self._lock:
            while len(self._threads) < self._count:
                thread = Thread(target=self._work, name="authguard-sender", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._queue.put(job)

    def _leave(self) -> None:
        with self._idle:
            self._taken -= 1
            self._idle.notify_all()

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            try:
                self._dispatch.run(job, self._given_up)
            finally:
                self._leave()

    def _reset(self) -> None:
        """Begin with an empty queue and no threads: at first, and in a forked child, whose parent keeps its own."""
        self._lock = Lock()
        self._idle = Condition(self._lock)
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads: list[Thread] = []
        self._taken = 0
        self._closing = Event()
        self._given_up = Event()


def _drain(sender: weakref.ref[Sender]) -> None:
    """Let the messages of a process that ends leave."""
    if (alive := sender()) is not None:
        alive.close()


def _forget(sender: weakref.ref[Sender]) -> None:
    """Leave the parent's messages to the parent."""
    if (alive := sender()) is not None:
        alive._reset()
