"""Destination: one spelling of a number for whoever counts, pays and sends; and by what a code leaves."""

from __future__ import annotations

import pytest

from authguard.clock import ManualClock
from authguard.delivery import Channel
from authguard.events import MessageWithheld
from authguard.identity import Pseudonymizer
from authguard.otp import Reader
from authguard.otp.destination import channel_for
from authguard.spend import Ledger, read_channels
from authguard.stores.memory import MemoryStore
from tests.otp.rig import Person, Rig

BOTH = (Channel.MAIL, Channel.SMS)
PADDED = "  +49 - (171) - 234 - 56 - 78                            "
NUMBER = "+491712345678"


@pytest.mark.parametrize(
    ("typed", "channel"),
    [
        ("owner@example.com", Channel.MAIL),
        ("owner＠example.com", Channel.MAIL),
        ("owner", Channel.MAIL),
        ("0800FLOWERS", Channel.MAIL),
        ("", Channel.MAIL),
        (NUMBER, Channel.SMS),
        (PADDED, Channel.SMS),
        ("0171 2345678", Channel.SMS),
    ],
)
def test_of_two_channels_only_a_phone_number_takes_the_dear_one(typed: str, channel: Channel) -> None:
    assert channel_for(typed, BOTH, "DE") is channel


@pytest.mark.parametrize("only", BOTH)
@pytest.mark.parametrize("typed", ["owner@example.com", "owner", NUMBER])
def test_the_only_channel_there_is_takes_every_code(only: Channel, typed: str) -> None:
    assert channel_for(typed, (only,)) is only


def test_a_national_number_is_nobodys_where_no_region_is_said() -> None:
    assert channel_for("0171 2345678", BOTH) is Channel.MAIL


def test_a_number_in_a_padded_spelling_makes_no_longer_message() -> None:
    texts = []
    for spelling in (NUMBER, PADDED):
        rig = Rig()
        rig.ask(Person(spelling, None, spelling))
        (message,) = rig.inbox.messages
        assert message.to == NUMBER
        texts.append(message.text)
        rig.close()
    assert len(texts[0]) == len(texts[1]) <= 2 * 153


@pytest.mark.parametrize("today", [PADDED, NUMBER])
def test_a_link_speaks_for_the_number_however_it_was_spelled(today: str) -> None:
    rig = Rig()
    person = Person(PADDED, None, PADDED)
    rig.ask(person)
    assert rig.following.read(rig.link()) == Reader(to=NUMBER)
    assert rig.follow(person.but(deliver="+491712345679"), rig.link()).reader is None
    assert rig.follow(person.but(deliver=today), rig.link()).reader == Reader(to=NUMBER)
    rig.close()


def test_the_shipped_ledger_reads_numbers_as_the_codes_do() -> None:
    """A national number was sent to as one country's and paid for as none's: nothing left, for no reason to be seen."""
    store = MemoryStore(ManualClock())
    ledger = Ledger(store, Pseudonymizer("a secret for these tests only", app="tests"), read_channels({}, "f", "DE"))
    rig = Rig(store, spending=ledger, region="DE")
    person = Person("0171 2345678", "42", "0171 2345678")
    sent = rig.ask(person)
    assert [message.to for message in rig.inbox.messages] == [NUMBER]
    assert not [event for event in rig.recorder.events if isinstance(event, MessageWithheld)]
    assert rig.right(person, sent.token, rig.code())
    rig.close()
