"""Sending: ladders that nobody can read, the same answer for somebody and nobody, and lanes for known devices."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from authguard.clock import SECOND
from authguard.delivery import Channel, Job
from authguard.delivery.line import Place
from authguard.errors import Overloaded
from authguard.events import MessageWithheld
from authguard.guard import Attempt, Guard
from authguard.guard.ruling import Refusal
from authguard.otp import Also
from authguard.otp.sending import Sent
from authguard.policy import Subject
from tests.otp.rig import Person, Rig

OWNER = Person()
STRANGER = OWNER.but(ip="203.0.113.5", browser="e" * 32)
NOBODY = Person("nobody@example.com", None, None)
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


def withheld(rig: Rig) -> list[str]:
    return [event.reason for event in rig.recorder.events if isinstance(event, MessageWithheld)]


@pytest.mark.parametrize("person", [OWNER, NOBODY], ids=["somebody", "nobody"])
def test_a_client_climbs_its_own_ladder_and_is_told_the_next_step(rig: Rig, person: Person) -> None:
    for gap in (60 * SECOND, 300 * SECOND, DAY):
        sent = rig.ask(person)
        now = rig.store.now()
        assert (sent.next_send_at - now, sent.next_send_in) == (gap, gap // SECOND)
        rig.advance(gap - 1)
        refused = rig.ask(person).refused
        assert refused is not None
        assert (refused.refusal, refused.retry_after) == (Refusal.RATE, 1)
        rig.advance(1)
    assert rig.ask(person).refused is None
    assert len(rig.inbox.messages) == (4 if person is OWNER else 0)


def shape(rig: Rig, sent: Sent) -> tuple[object, ...]:
    """Return all that a client sees of an answer, but for the token's random content."""
    return len(sent.token), sent.next_send_at - rig.store.now(), sent.next_send_in, sent.refused


def test_somebody_and_nobody_get_the_same_answers(rig: Rig) -> None:
    """Two ladders climbed side by side, with wrong codes in between, look the same at every step."""
    tokens = ["", ""]
    for gap in (0, 59 * SECOND, SECOND, 5 * MINUTE, 20 * MINUTE, DAY, DAY):
        rig.advance(gap)
        answers = [rig.ask(person, token) for person, token in zip((OWNER, NOBODY), tokens, strict=True)]
        tokens = [answer.token or token for answer, token in zip(answers, tokens, strict=True)]
        assert shape(rig, answers[0]) == shape(rig, answers[1])
        tries = [rig.check(each, token, "x00000") for each, token in zip((OWNER, NOBODY), tokens, strict=True)]
        tries += [rig.check(each, token, rig.wrong()) for each, token in zip((OWNER, NOBODY), tokens, strict=True)]
        assert tries[0] == tries[1]
        assert tries[2] == tries[3]
    assert len(rig.inbox.messages) == 5


def test_what_strangers_did_to_a_destination_does_not_show(rig: Rig) -> None:
    rig.ask(STRANGER)
    rig.advance(10 * SECOND)
    sent = rig.ask(OWNER)
    assert sent.next_send_in == 60
    assert len(rig.inbox.messages) == 1
    assert withheld(rig) == ["ladder"]


def test_two_names_of_one_account_are_not_tied_together(rig: Rig) -> None:
    rig.ask(OWNER)
    renamed = rig.ask(OWNER.but(to="alias@example.com", browser="f" * 32))
    nobody = rig.ask(NOBODY)
    assert shape(rig, renamed) == shape(rig, nobody)
    assert len(rig.inbox.messages) == 1


def test_one_ladder_for_all_flows_that_write_to_one_destination(rig: Rig) -> None:
    for number, purpose in enumerate(("login", "reset", "signup", "change")):
        person = OWNER.but(purpose=purpose, ip=f"198.51.{number}.1", to=f"name{number}@example.com")
        assert rig.ask(person, policy="otp-send" if number % 2 else "password-reset").refused is None
    assert len(rig.inbox.messages) == 1


@pytest.mark.parametrize("spelling", ["0171 2345678", "+49 171 234 56 78", "00491712345678", "tel:+49-171-2345678"])
def test_spellings_of_one_phone_are_one_destination(spelling: str) -> None:
    rig = Rig(region="DE")
    rig.ask(OWNER.but(to="+491712345678", deliver="+491712345678"))
    rig.ask(STRANGER.but(to="+491712345678", deliver=spelling))
    assert [message.to for message in rig.inbox.messages] == ["+491712345678"]
    assert withheld(rig) == ["ladder"]
    rig.close()


def test_a_message_goes_to_the_address_as_it_is_kept_and_not_to_its_counting_key(rig: Rig) -> None:
    rig.ask(OWNER.but(deliver="Own.Er+tag@GMail.com"))
    assert rig.inbox.messages[0].to == "Own.Er+tag@GMail.com"
    rig.ask(STRANGER.but(to="other@example.com", deliver="owner@gmail.com"))
    assert len(rig.inbox.messages) == 1


def test_an_address_that_cannot_be_read_gets_nothing_and_nobody_is_told(rig: Rig) -> None:
    for deliver in ("no address", "+1", "a@b@c", "a@example.com\r\nBcc: b@example.com"):
        rig.ask(OWNER.but(deliver=deliver, to=f"{len(deliver)}@example.com"))
    assert withheld(rig) == ["destination"] * 4
    assert rig.inbox.messages == []


@pytest.mark.parametrize(
    ("typed", "deliver"),
    [
        ("owner", "+491712345678"),
        ("owner", "owner"),
        ("0800FLOWERS", "0800FLOWERS"),
        ("+4917 OWNER", "+4917 OWNER"),
        ("owner@example.com", "+491712345678"),
    ],
)
def test_nothing_leaves_over_a_channel_that_the_address_is_none_of(rig: Rig, typed: str, deliver: str) -> None:
    """The channel is told by what was typed, not by the account: a user name's is mail, which costs nothing."""
    rig.ask(OWNER.but(to=typed, deliver=deliver))
    assert withheld(rig) == ["destination"]
    assert rig.inbox.messages == []


def test_a_known_device_gets_a_code_after_strangers_climbed_the_ladder(rig: Rig) -> None:
    for gap in (0, 60 * SECOND, 300 * SECOND):
        rig.advance(gap)
        rig.ask(STRANGER)
    assert len(rig.inbox.messages) == 3
    assert rig.ask(OWNER).refused is not None  # the account's own limit for strangers, 3 in 10 minutes
    known = OWNER.but(known=True)
    sent = rig.ask(known)
    assert len(rig.inbox.messages) == 4
    assert rig.right(known, sent.token, rig.code())


@dataclass(frozen=True)
class Revoked:
    """An entrance for a device that turns out to be revoked: its request is decided like a stranger's."""

    guard: Guard
    subject: Subject

    def leads_to(self, account: str) -> bool:
        return True

    def count(self, policy: str, also: Also) -> Attempt:
        stranger = replace(self.subject, known=False)
        return self.guard.count(policy, stranger, also(stranger))

    def attempt(self, policy: str, secret: str, also: Also) -> Attempt:
        raise NotImplementedError


def test_a_revoked_device_has_the_strangers_ladder(rig: Rig) -> None:
    rig.ask(STRANGER)
    entrance = Revoked(rig.foundation.guard, OWNER.but(known=True).subject)
    sent = rig.sending.send("otp-send", OWNER.binding, entrance, Channel.MAIL)
    assert rig.sender.drain(20)
    assert sent.next_send_in == 60
    assert len(rig.inbox.messages) == 1


def test_an_older_message_that_comes_up_after_a_newer_one_is_not_sent(rig: Rig) -> None:
    jobs: list[Job] = []
    rig.sender.reserve = lambda channel, known=False: Place(jobs.append, lambda: None)  # type: ignore[method-assign]
    first = rig.ask(OWNER)
    rig.advance(MINUTE)
    second = rig.ask(OWNER, first.token)
    newer = jobs[1].compose()
    assert newer is not None
    rig.advance(10 * MINUTE)
    assert jobs[0].compose() is None
    rig.inbox.messages.append(newer)
    rig.advance(-10 * MINUTE)
    assert rig.right(OWNER, second.token, rig.code())


def test_from_the_third_unanswered_message_on_the_reader_learns_that_somebody_keeps_asking(rig: Rig) -> None:
    said = []
    for number in range(5):
        rig.ask(OWNER.but(ip=f"198.51.{number}.1"))
        said.append("Somebody keeps asking" in rig.inbox.messages[-1].text)
        rig.advance((60 * SECOND, 300 * SECOND, DAY, DAY, DAY)[number])
    assert said == [False, False, True, True, True]


def test_a_full_queue_and_a_spent_channel_are_busy_for_everyone(rig: Rig) -> None:
    rig.sender.close()
    for person in (OWNER, NOBODY):
        with pytest.raises(Overloaded):
            rig.ask(person)


def test_a_refused_request_gives_its_place_in_the_queue_back(rig: Rig) -> None:
    for _ in range(5):
        rig.ask(OWNER)
    assert rig.sender.drain(0)
