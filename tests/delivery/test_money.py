"""Money: put aside first, written down before the provider is called, settled by what is certain (law 13)."""

from __future__ import annotations

import pytest

from authguard.clock import ManualClock
from authguard.delivery import Channel, Job, NotDelivered, Pace, Reservation, Route, Sender, Withheld
from authguard.delivery.dispatch import Dispatch
from authguard.delivery.trip import Trip
from authguard.errors import IdentityError, Overloaded, StoreUnavailable
from authguard.events import Event, MessageFailed, MessageSent, MessageWithheld
from authguard.identity import Pseudonymizer
from authguard.spend import Ledger
from authguard.stores.memory import MemoryStore
from tests.delivery.providers import Inbox, Recorder, job, message
from tests.delivery.test_pacing import Wait


class Book:
    """A ledger that writes down what it is told; ``fresh`` says whether a reservation still stands at dispatch."""

    def __init__(self, inbox: Inbox, fresh: bool = True, refusal: str = "", spent: bool = False) -> None:
        self.lines: list[str] = []
        self._inbox, self._fresh, self._refusal, self._spent = inbox, fresh, refusal, spent

    def is_spent(self, channel: str, known: bool) -> bool:
        return self._spent and not known

    def reserve(self, channel: str, to: str, key: str, *, device: bool) -> Reservation:
        if self._refusal:
            raise Withheld(self._refusal)
        self.lines.append("reserve")
        return self

    def verified(self, channel: str, to: str, key: str) -> None:
        self.lines.append("verified")

    def dispatch(self) -> bool:
        self.lines.append(f"dispatch, {len(self._inbox.messages)} out")
        return self._fresh

    def commit(self) -> None:
        self.lines.append(f"commit, {len(self._inbox.messages)} out")

    def release(self) -> None:
        self.lines.append("release")


def run(book: Book, inbox: Inbox, one: Job, pace: Pace | None = None) -> list[Event]:
    """Send ``one`` and return what was told."""
    recorder = Recorder()
    sender = Sender({Channel.SMS: Route(inbox, pace)}, recorder, book, threads=1)
    sender.reserve(Channel.SMS).fill(one)
    assert sender.drain()
    sender.close()
    return recorder.events


def test_what_went_out_is_committed() -> None:
    inbox = Inbox()
    book = Book(inbox)
    (event,) = run(book, inbox, job())
    assert isinstance(event, MessageSent)
    assert book.lines == ["reserve", "dispatch, 0 out", "commit, 1 out"]


def test_an_unknown_outcome_is_committed() -> None:
    inbox = Inbox(TimeoutError())
    book = Book(inbox)
    assert run(book, inbox, job()) == [MessageFailed("sms", "login", "uncertain")]
    assert book.lines == ["reserve", "dispatch, 0 out", "commit, 1 out"]


def test_what_certainly_did_not_go_out_is_released() -> None:
    inbox = Inbox(NotDelivered("refused"))
    book = Book(inbox)
    assert run(book, inbox, job()) == [MessageFailed("sms", "login", "refused")]
    assert book.lines == ["reserve", "dispatch, 0 out", "release"]


def test_what_is_withheld_by_its_maker_is_released() -> None:
    inbox = Inbox()
    book = Book(inbox)
    assert run(book, inbox, Job(Channel.SMS, "login", False, lambda: None, "+15005550006")) == []
    assert book.lines == ["reserve", "release"]


def test_a_maker_that_breaks_leaves_no_reservation_behind() -> None:
    inbox = Inbox()
    book = Book(inbox)

    def breaks() -> None:
        raise RuntimeError

    run(book, inbox, Job(Channel.SMS, "login", False, breaks, "+15005550006"))
    assert book.lines == ["reserve", "release"]


def test_a_refusal_of_the_ledger_is_an_event_and_composes_nothing() -> None:
    inbox = Inbox()
    book = Book(inbox, refusal="region_refused")
    composed: list[int] = []
    one = Job(Channel.SMS, "login", False, lambda: composed.append(1), "+15005550006")
    assert run(book, inbox, one) == [MessageWithheld("sms", "login", "region_refused")]
    assert (composed, inbox.messages) == ([], [])


def test_a_destination_that_the_ledger_cannot_read_is_an_event() -> None:
    class Reader(Book):
        """A ledger that reads destinations itself."""

        def reserve(self, channel: str, to: str, key: str, *, device: bool) -> Reservation:
            raise IdentityError("country")

    inbox = Inbox()
    assert run(Reader(inbox), inbox, job()) == [MessageWithheld("sms", "login", "destination")]
    assert inbox.messages == []


def test_a_ledger_that_fails_at_dispatch_sends_nothing() -> None:
    class Failing(Book):
        """A ledger whose store goes between reservation and dispatch."""

        def dispatch(self) -> bool:
            raise StoreUnavailable("gone")

    inbox = Inbox()
    assert run(Failing(inbox), inbox, job()) == [MessageFailed("sms", "login", "error")]
    assert inbox.messages == []


def test_an_expired_reservation_is_not_dispatched() -> None:
    inbox = Inbox()
    book = Book(inbox, fresh=False)
    assert run(book, inbox, job()) == [MessageWithheld("sms", "login", "reservation_expired")]
    assert inbox.messages == []


def test_nobody_costs_nothing() -> None:
    inbox = Inbox()
    book = Book(inbox)
    run(book, inbox, Job(Channel.SMS, "login", False, lambda: None))
    assert book.lines == []


def test_a_spent_channel_is_busy_for_everyone_in_the_lane() -> None:
    inbox = Inbox()
    sender = Sender({Channel.SMS: Route(inbox)}, Recorder(), Book(inbox, spent=True))
    with pytest.raises(Overloaded) as caught:
        sender.reserve(Channel.SMS)
    assert caught.value.code == "channel"
    sender.reserve(Channel.SMS, known=True).leave()
    sender.close()


def test_a_message_that_waits_longer_than_its_reservation_stands_gets_another() -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    inbox, recorder = Inbox(), Recorder()
    ledger = Ledger(store, Pseudonymizer("a secret for these tests only", app="tests"))
    dispatch = Dispatch({Channel.SMS: Route(inbox, Pace(store, "slow", "1/5m"))}, ledger)
    one = message(to="+447400000001")
    for key in ("one", "two", "two"):
        dispatch.run(Trip(Job(Channel.SMS, "login", False, lambda: one, one.to, key), recorder, Wait(clock)))
    assert [type(event) for event in recorder.events] == [MessageSent, MessageSent, MessageWithheld]
    assert next(each.spent for each in ledger.balances() if each.cap == "day") == 2


def test_what_never_gets_its_turn_is_released_and_told() -> None:
    inbox = Inbox()
    book = Book(inbox)
    pace = Pace(MemoryStore(), "slow", "1/1h")
    recorder = Recorder()
    sender = Sender({Channel.SMS: Route(inbox, pace)}, recorder, book, threads=1)
    for _ in range(2):
        sender.reserve(Channel.SMS).fill(job())
    assert not sender.drain(seconds=0.2)
    sender.close(seconds=0.1)
    assert sender.drain()
    assert recorder.events[-1] == MessageFailed("sms", "login", "lost")
    assert book.lines[-1] == "release"
    assert inbox.messages == [message()]
