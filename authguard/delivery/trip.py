"""Trip: one job under way. How it ends is told once, by whoever carries it or by whoever can't wait for that."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, RLock

from authguard.delivery.job import Job
from authguard.delivery.spending import Reservation
from authguard.events import Event as Happening
from authguard.events import MessageFailed, Observer


class Trip:
    """``job`` on its way; ``given_up`` is set once nothing more may leave.

    The thread that carries it may be stuck in the provider's call when the process has to end. Then :meth:`abandon`
    ends the trip in its place, and what that thread says later is not told again.
    """

    def __init__(self, job: Job, observer: Observer, given_up: Event) -> None:
        self.job = job
        self.given_up = given_up
        self._observer = observer
        self._lock = RLock()
        self._over = False
        self._spent: Reservation | None = None

    def depart(self, spent: Reservation) -> bool:
        """Note that the provider is called next, ``spent`` on it; ``False`` where nothing may leave any more."""
        with self._lock:
            if self._over or self.given_up.is_set():
                return False
            self._spent = spent
            return True

    def end(self, event: Happening | None) -> bool:
        """Tell how it ended, ``None`` where that is told already; ``False`` when it had ended before."""
        with self._lock:
            if self._over:
                return False
            self._over = True
            if event is not None:
                self._observer.observe(event)
            return True

    def fail(self, fault: str) -> bool:
        """End it with a :class:`~authguard.events.MessageFailed`, as :meth:`end` does."""
        return self.end(MessageFailed(self.job.channel, self.job.purpose, fault))

    def abandon(self) -> bool:
        """End it now, unless it has ended; return whether the message is lost for certain.

        One that is in the provider's hands may be out: it is ``uncertain``, and stays paid (law 13).
        """
        with self._lock:
            spent = self._spent
            if not self.fail("lost" if spent is None else "uncertain"):
                return False
        if spent is None:
            return True
        with suppress(Exception):  # it is spent since it was dispatched, whatever the ledger says now
            spent.commit()
        return False
