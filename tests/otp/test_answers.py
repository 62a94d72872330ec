"""Answers: a code that comes back and a link that is followed reset the ladders and end the warnings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from authguard.clock import SECOND
from authguard.policy import Subject
from tests.otp.rig import Person, Rig

OWNER = Person()
STRANGER = OWNER.but(ip="203.0.113.5", browser="e" * 32)
MINUTE = 60 * SECOND


def answer_by_code(rig: Rig, person: Person, token: str) -> bool:
    return rig.right(person, token, rig.code())


def answer_by_link(rig: Rig, person: Person, token: str) -> bool:
    return rig.follow(person, rig.link()).reader is not None


ANSWERS = pytest.mark.parametrize("answer", [answer_by_code, answer_by_link], ids=["code", "link"])
Answer = Callable[[Rig, Person, str], bool]


@ANSWERS
def test_a_code_that_comes_back_and_a_link_that_is_followed_reset_the_ladders(rig: Rig, answer: Answer) -> None:
    rig.ask(OWNER)
    rig.advance(60 * SECOND)
    sent = rig.ask(OWNER)
    assert sent.next_send_in == 300
    assert answer(rig, OWNER, sent.token)
    again = rig.ask(OWNER)
    assert again.next_send_in == 60
    assert len(rig.inbox.messages) == 3


@ANSWERS
def test_who_answers_every_message_gets_the_next_and_no_warning(rig: Rig, answer: Answer) -> None:
    for number in range(5):
        person = OWNER.but(ip=f"198.51.{number}.1", browser=f"{number:032x}")
        sent = rig.ask(person)
        assert len(rig.inbox.messages) == number + 1
        assert "Somebody keeps asking" not in rig.inbox.messages[-1].text
        assert answer(rig, person, sent.token)
        rig.advance(11 * MINUTE)


def test_who_follows_a_link_from_nowhere_resets_the_ladder_of_its_mailbox(rig: Rig) -> None:
    for number in range(3):
        rig.ask(OWNER.but(ip=f"198.51.{number}.1"))
        nobody = Subject({})
        followed = rig.following.follow("login", rig.link(), OWNER.deliver, nobody)
        assert followed.reader is not None
    assert len(rig.inbox.messages) == 3


@ANSWERS
def test_a_known_device_resets_the_ladder_that_strangers_climbed(rig: Rig, answer: Answer) -> None:
    rig.ask(STRANGER)
    known = OWNER.but(known=True)
    sent = rig.ask(known)
    assert answer(rig, known, sent.token)
    rig.ask(OWNER.but(ip="192.0.2.200"))
    assert len(rig.inbox.messages) == 3


def test_a_known_device_resets_its_own_ladder_too(rig: Rig) -> None:
    known = OWNER.but(known=True)
    for _ in range(3):
        sent = rig.ask(known)
        assert rig.right(known, sent.token, rig.code())
    assert len(rig.inbox.messages) == 3
