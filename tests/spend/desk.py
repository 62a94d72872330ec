"""Desk: a ledger at work, with the store below it, a clock to move, and everything it told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from authguard.clock import SECOND
from authguard.events import Event
from authguard.identity import Pseudonymizer
from authguard.spend import CHANNELS, Channel, Ledger, Reason, SpendDenied
from authguard.stores import Store
from authguard.testing import StoreUnderTest

MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
PEPPER = Pseudonymizer("a secret for these tests only", app="tests")

E = TypeVar("E", bound=Event)


@dataclass
class Told:
    """Everything that was told."""

    events: list[Event] = field(default_factory=list)

    def observe(self, event: Event) -> None:
        self.events.append(event)

    def of(self, kind: type[E]) -> list[E]:
        """Return the events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]


class Desk:
    """A ledger, and short ways to spend with it."""

    def __init__(self, tested: StoreUnderTest, channels: Mapping[str, Channel] = CHANNELS) -> None:
        self.told = Told()
        self.tested = tested
        self.ledger = ledger_over(tested.store, channels, self.told)

    def send(self, to: str | None = None, channel: str = "sms", known: bool = False, key: str | None = None) -> str:
        """Send one message, and return its key."""
        with self.ledger.reserve(channel, to, key, known) as reservation:
            reservation.dispatch()
        return reservation.key

    def refusal(self, to: str | None = None, channel: str = "sms", known: bool = False) -> Reason | None:
        """Send one message; return why not, or ``None``."""
        try:
            self.send(to, channel, known)
        except SpendDenied as denied:
            return denied.reason
        return None

    def send_many(self, numbers: list[str], known: bool = False) -> int:
        """Send a message to each; return how many went out."""
        return sum(self.refusal(number, known=known) is None for number in numbers)

    def verify(self, to: str, key: str, channel: str = "sms") -> None:
        """Use the code that was sent under ``key``."""
        assert self.ledger.verified(channel, to, key)

    def make_known(self, to: str) -> None:
        """Verify a number, and let it come of age."""
        self.verify(to, self.send(to))
        self.tested.advance(7 * DAY + 3 * HOUR)

    def left(self, cap: str, channel: str = "sms") -> int:
        """Return what ``cap`` has left."""
        return next(each.left for each in self.ledger.balances() if (each.channel, each.cap) == (channel, cap))


def ledger_over(store: Store, channels: Mapping[str, Channel] = CHANNELS, observer: Told | None = None) -> Ledger:
    """Return a ledger over ``store``."""
    return Ledger(store, PEPPER, channels, observer)


def mobile(number: int, region: str = "GB") -> str:
    """Return a mobile number; those whose ``number`` has the same thousands are of one range."""
    return {"GB": "+447400", "DE": "+4915120", "BD": "+8801712"}[region] + f"{number:06}"
