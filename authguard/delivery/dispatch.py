"""Dispatch: one job from the queue to the provider, with the money put aside first and settled last (law 13)."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic

from authguard.delivery.deliver import Deliver, NotDelivered
from authguard.delivery.job import Job
from authguard.delivery.message import Channel, Message
from authguard.delivery.pacing import Pace
from authguard.delivery.spending import Reservation, Spending, Withheld
from authguard.delivery.trip import Trip
from authguard.errors import IdentityError, Overloaded
from authguard.events import MessageSent, MessageWithheld

RETRY_AFTER = 60
"""Seconds after which a client may come back to a channel that is spent."""


@dataclass(frozen=True, slots=True)
class Route:
    """How messages of one channel leave: by what, and how fast (``None``: as fast as they come)."""

    deliver: Deliver
    pace: Pace | None = None


class Dispatch:
    """Carries jobs out. Never raises: what went wrong is an event, for nobody waits for an answer here."""

    def __init__(self, routes: Mapping[Channel, Route], spending: Spending) -> None:
        self._routes = dict(routes)
        self._spending = spending

    def refuse_spent(self, channel: Channel, known: bool) -> None:
        """Raise ``Overloaded`` when ``channel`` has no route or no money, whoever the message would be for."""
        if channel not in self._routes or self._spending.is_spent(channel, known):
            raise Overloaded("channel", retry_after=RETRY_AFTER)

    def run(self, trip: Trip) -> None:
        """Send what the trip's job composes, in the provider's time or until the trip is given up."""
        job = trip.job
        try:
            if job.to is None:
                job.compose()
                trip.end(None)
                return
            # The money is asked before the message is composed: composing climbs the destination's ladder.
            reservation = self._spending.reserve(job.channel, job.to, job.key, device=job.known)
            message = self._compose(job, reservation)
            if message is None:
                trip.end(None)
            else:
                self._send(trip, job.to, message, reservation)
        except Withheld as reason:
            trip.end(MessageWithheld(job.channel, job.purpose, reason.code))
        except IdentityError:
            trip.end(MessageWithheld(job.channel, job.purpose, "destination"))
        except BaseException:  # noqa: BLE001 - whatever fails must not end the thread that sends
            trip.fail("error")

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

    def _send(self, trip: Trip, to: str, message: Message, reservation: Reservation) -> None:
        route, job = self._routes[trip.job.channel], trip.job
        if route.pace is not None and not route.pace.queue(trip.given_up):
            reservation.release()
            trip.fail("lost")
            return
        reservation = self._dispatch(job, to, reservation)
        if not trip.depart(reservation):
            reservation.release()
            trip.fail("lost")
            return
        started = monotonic()
        try:
            route.deliver.deliver(message)
        except NotDelivered as error:
            if trip.fail(error.code):
                reservation.release()
        except BaseException:  # noqa: BLE001 - whatever a provider's client raises, the message may be out
            if trip.fail("uncertain"):
                reservation.commit()
        else:
            if trip.end(MessageSent(job.channel, job.purpose, monotonic() - started)):
                reservation.commit()
