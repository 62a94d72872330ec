"""Line: the messages of one channel that wait in this process, known users' beside strangers', and their threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition, Event, Thread
from time import monotonic
from typing import NamedTuple

from authguard.delivery.job import Job
from authguard.delivery.trip import Trip
from authguard.errors import Overloaded
from authguard.events import Observer

RETRY_AFTER = 5
"""Seconds after which a client may come back to a full queue."""
IN_A_ROW = 4
"""Messages of known users that leave while a stranger's waits: each lane has a share, and neither starves (law 6)."""

HEAD_START = 0.1
"""Seconds before a message's work begins, by when the answer to whoever asked for it is out.

The work takes the processor from the request that caused it, and there is less of it where nobody gets a message: an
answer that overlapped with it took two milliseconds longer for accounts (law 8).
"""


class Waiting(NamedTuple):
    """A trip, from when on it may begin (monotonic time), and whether its place is one of the known users'."""

    since: float
    trip: Trip
    known: bool


class Place:
    """A place in the line, taken before anybody looks whether there is something to send."""

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


class Line:
    """At most ``capacity`` places, ``share`` for strangers or for known users alone, and threads that ``run`` the jobs.

    ``observer`` is told of every job that is given up. The threads start with the first job, and with each one once it
    has waited for ``head_start`` seconds, or as soon as somebody waits for the line to be empty.
    """

    def __init__(
        self,
        run: Callable[[Trip], None],
        observer: Observer,
        capacity: int,
        share: int,
        threads: int,
        head_start: float = HEAD_START,
    ) -> None:
        self._run, self._observer, self._head_start = run, observer, head_start
        self._capacity, self._share, self._count = capacity, share, threads
        self._moved = Condition()
        self._known: deque[Waiting] = deque()
        self._strangers: deque[Waiting] = deque()
        self._awaited = 0
        self._in_a_row = 0
        self._taken = {True: 0, False: 0}  # by known users, and by strangers
        self._under_way: set[Trip] = set()
        self._threads: list[Thread] = []
        self._closing = False
        self._given_up = Event()

    def reserve(self, known: bool) -> Place:
        """Take a place; raises ``Overloaded`` where there is none."""
        with self._moved:
            taken = sum(self._taken.values())
            if self._closing or taken >= self._capacity or self._taken[known] >= self._share:
                raise Overloaded("messages", retry_after=RETRY_AFTER)
            self._taken[known] += 1
        return Place(lambda job: self._put(job, known), lambda: self._leave(known))

    def close(self) -> None:
        """Take no more messages."""
        with self._moved:
            self._closing = True

    def empty_by(self, until: float) -> bool:
        """Wait until nothing waits or is on its way; ``False`` when that is not so ``until`` then (monotonic time)."""
        with self._moved:
            self._awaited += 1
            self._moved.notify_all()
            try:
                return self._moved.wait_for(lambda: not any(self._taken.values()), max(0.0, until - monotonic()))
            finally:
                self._awaited -= 1

    @property
    def given_up(self) -> bool:
        """Whether nothing runs any more."""
        return self._given_up.is_set()

    def give_up(self) -> int:
        """Begin nothing more; return how many jobs are lost."""
        with self._moved:
            self._given_up.set()
            lost = [*self._known, *self._strangers]
            self._known.clear()
            self._strangers.clear()
            self._moved.notify_all()
        for waiting in lost:
            waiting.trip.abandon()
            self._leave(waiting.known)
        return len(lost)

    def join(self, until: float) -> int:
        """Wait for the threads, until then or a moment longer, and for no job after that; return how many are lost."""
        for thread in self._threads:
            thread.join(max(0.1, until - monotonic()))
        with self._moved:
            stuck = [*self._under_way]
        return sum(trip.abandon() for trip in stuck)

    def _put(self, job: Job, known: bool) -> None:
        trip = Trip(job, self._observer, self._given_up)
        with self._moved:
            if not self.given_up:
                (self._known if job.known else self._strangers).append(
                    Waiting(monotonic() + self._head_start, trip, known)
                )
                self._moved.notify_all()
                self._start()
                return
        trip.abandon()
        self._leave(known)

    def _start(self) -> None:
        while len(self._threads) < self._count:
            thread = Thread(target=self._work, name="authguard-sender", daemon=True)
            thread.start()
            self._threads.append(thread)

    def _leave(self, known: bool) -> None:
        with self._moved:
            self._taken[known] -= 1
            self._moved.notify_all()

    def _arrive(self, waiting: Waiting) -> None:
        with self._moved:
            self._under_way.discard(waiting.trip)
        self._leave(waiting.known)

    def _work(self) -> None:
        for waiting in self._turns():
            try:
                self._run(waiting.trip)
            finally:
                self._arrive(waiting)

    def _turns(self) -> Iterator[Waiting]:
        while True:
            with self._moved:
                while (left := self._until_next()) != 0 and not self.given_up:
                    self._moved.wait(left)
                if self.given_up:
                    return
                waiting = self._next()
                self._under_way.add(waiting.trip)
            yield waiting

    def _until_next(self) -> float | None:
        """Return in how many seconds a job may run, ``None`` where none waits."""
        return min((self._left(lane) for lane in (self._known, self._strangers) if lane), default=None)

    def _left(self, lane: deque[Waiting]) -> float:
        return 0.0 if self._awaited else max(0.0, lane[0].since - monotonic())

    def _next(self) -> Waiting:
        """Take the job whose turn it is; there is one that may run."""
        known, strangers = (bool(lane) and self._left(lane) == 0 for lane in (self._known, self._strangers))
        if known and not (strangers and self._in_a_row >= IN_A_ROW):
            self._in_a_row += 1
            return self._known.popleft()
        self._in_a_row = 0
        return self._strangers.popleft()
