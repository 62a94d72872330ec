"""Dispatch: one job from the queue to the provider, with the money put aside first and settled last (law 13)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from threading import Event
from time import monotonic

from authguard.delivery.deliver import Deliver, NotDelivered
from authguard.delivery.job import Job
from authguard.delivery.message import Channel, Message
from authguard.delivery.pacing import Pace
from authguard.delivery.spending import Reservation, Spending, Withheld
from authguard.errors import IdentityError, Overloaded
from authguard.events import MessageFailed, MessageSent, MessageWithheld, Observer

RETRY_AFTER = 60
"""Seconds after which a client may come back to a channel that is spent."""


@dataclass(frozen=True, slots=True)
class Route:
    """How messages of one channel leave: by what, and how fast (``None``: as fast as they come)."""

    deliver: Deliver
    pace: Pace | None = None


class Dispatch:
    """Carries jobs out. Never raises: what went wrong is an event, for nobody waits for an answer here."""

    def __init__(self, routes: Mapping[Channel, Route], spending: Spending, observer: Observer) -> None:
        self._routes = dict(routes)
        self._spending = spending
        self._observer = observer

    def refuse_spent(self, channel: Channel, known: bool) -> None:
        """Raise ``Overloaded`` when ``channel`` has no route or no money, whoever the message would be for."""
        if channel not in self._routes or self._spending.is_spent(channel, known):
            raise Overloaded("channel", retry_after=RETRY_AFTER)

    def run(self, job: Job, given_up: Event) -> None:
        """Send what ``job`` composes, in the provider's time or until ``given_up`` is set."""
        try:
            if job.to is None:
                job.compose()
                return
            # The money is asked before the message is composed: composing climbs the destination's ladder.
            reservation = self._spending.reserve(job.channel, job.to, job.key, device=job.known)
            message = self._compose(job, reservation)
            if message is not None:
                self._send(job, job.to, message, reservation, given_up)
        except Withheld as reason:
            self._observer.observe(MessageWithheld(job.channel, job.purpose, reason.code))
        except IdentityError:
            self._observer.observe(MessageWithheld(job.channel, job.purpose, "destination"))
        except Exception:  # noqa: BLE001 - a store or a ledger that fails must not end the thread that sends
            self._observer.observe(MessageFailed(job.channel, job.purpose, "error"))

    def _compose(self, job: Job, reservation: Reservation) -> Message | None:
        message = None
        try:
            message = job.compose()
        finally:
            if message is None:
                reservation.release()
        return message

    def _dispatch(self, job: Job, to: str, reservation: Reservation) -> Reservation:
        """Mark the money as spent, put aside anew where it has expired while the message waited for its turn."""
        with suppress(Withheld):
            if reservation.dispatch():
                return reservation
        # Where somebody else has sent this message, the ledger says so once more.
        anew = self._spending.reserve(job.channel, to, job.key, device=job.known)
        if anew.dispatch():
            return anew
        raise Withheld("reservation_expired")

    def _send(self, job: Job, to: str, message: Message, reservation: Reservation, given_up: Event) -> None:
        route = self._routes[job.channel]
        if route.pace is not None and not route.pace.queue(given_up):
            reservation.release()
            self._observer.observe(MessageFailed(job.channel, job.purpose, "lost"))
            return
        reservation = self._dispatch(job, to, reservation)
        started = monotonic()
        try:
            route.deliver.deliver(message)
        except NotDelivered as error:
            reservation.release()
            self._observer.observe(MessageFailed(job.channel, job.purpose, error.code))
        except Exception:  # noqa: BLE001 - whatever a provider's client raises, the message may be out
            reservation.commit()
            self._observer.observe(MessageFailed(job.channel, job.purpose, "uncertain"))
        else:
            reservation.commit()
            self._observer.observe(MessageSent(job.channel, job.purpose, monotonic() - started))
