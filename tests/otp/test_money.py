"""Money: the ledger is asked before the ladder is climbed, and learns which messages were wanted."""

from __future__ import annotations

from authguard.clock import SECOND
from authguard.delivery import Free, Reservation, Withheld
from authguard.errors import StoreUnavailable
from authguard.events import MessageWithheld
from tests.otp.rig import Person, Rig

OWNER = Person()
MINUTE = 60 * SECOND


class Book(Free):
    """A ledger that refuses what it is told to, and notes what proved to be wanted."""

    def __init__(self, refuses: str = "") -> None:
        self.refuses = refuses
        self.wanted: list[tuple[str, str, str]] = []

    def reserve(self, channel: str, to: str, key: str, *, device: bool) -> Reservation:
        if self.refuses:
            raise Withheld(self.refuses)
        return super().reserve(channel, to, key, device=device)

    def verified(self, channel: str, to: str, key: str) -> None:
        self.wanted.append((channel, to, key))


def test_the_ledger_learns_which_messages_were_wanted() -> None:
    book = Book()
    rig = Rig(spending=book)
    sent = rig.ask(OWNER)
    assert rig.right(OWNER, sent.token, rig.code())
    rig.ask(OWNER)
    assert rig.follow(OWNER, rig.link()).reader is not None
    assert book.wanted == [("mail", OWNER.deliver, message.key) for message in rig.inbox.messages]
    assert len(book.wanted) == 2
    rig.close()


def test_what_the_ledger_refuses_climbs_no_ladder_and_stops_no_code() -> None:
    book = Book()
    rig = Rig(spending=book)
    first = rig.ask(OWNER)
    code = rig.code()
    rig.advance(MINUTE)
    book.refuses = "exhausted"
    second = rig.ask(OWNER, first.token)
    assert MessageWithheld("mail", "login", "exhausted") in rig.recorder.events
    assert rig.right(OWNER, second.token, code)
    rig.close()


def test_a_ledger_that_fails_makes_no_code_wrong() -> None:
    class Broken(Book):
        """A ledger that can't be told anything."""

        def verified(self, channel: str, to: str, key: str) -> None:
            raise StoreUnavailable("gone")

    rig = Rig(spending=Broken())
    sent = rig.ask(OWNER)
    assert rig.right(OWNER, sent.token, rig.code())
    rig.close()
