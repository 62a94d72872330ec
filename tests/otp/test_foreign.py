"""Foreign messages: what goes to a mailbox for somebody else's account keeps nothing from whoever reads it."""

from __future__ import annotations

from dataclasses import dataclass

from authguard.clock import SECOND
from authguard.delivery import Channel
from authguard.otp import Direct
from authguard.policy import Scope
from tests.otp.rig import Person, Rig

OWNER = Person()
STRANGER = OWNER.but(
    purpose="contact", account="666", ip="203.0.113.5", browser="e" * 32, more={Scope.ID: "email:owner for account:666"}
)
"""Wants the messages of an account of their own to go to the owner's mailbox."""


@dataclass(frozen=True, slots=True)
class Elsewhere(Direct):
    """An entrance by a name that leads to no account, or to another."""

    def leads_to(self, account: str) -> bool:
        return False


def ask(rig: Rig, person: Person = STRANGER) -> str:
    """Ask for a foreign message; return the token."""
    entrance = Elsewhere(rig.foundation.guard, person.subject)
    sent = rig.sending.send("otp-send", person.binding, entrance, Channel.MAIL)
    assert sent.refused is None
    assert rig.sender.drain(20)
    return sent.token


def test_the_owner_gets_a_code_whatever_others_had_sent_to_the_mailbox(rig: Rig) -> None:
    for number, gap in enumerate((0, 60, 300)):
        rig.advance(gap * SECOND)
        ask(rig, STRANGER.but(ip=f"198.51.{number}.1"))
    assert len(rig.inbox.messages) == 3
    sent = rig.ask(OWNER)
    assert rig.right(OWNER, sent.token, rig.code())


def test_one_ladder_for_all_of_them(any_rig: Rig) -> None:
    for number in range(4):
        another = STRANGER.but(account=str(number), ip=f"198.51.{number}.1", more={Scope.ID: f"account:{number}"})
        ask(any_rig, another)
    assert len(any_rig.inbox.messages) == 1


def test_they_wait_for_the_messages_of_the_owner_s_own_account(any_rig: Rig) -> None:
    any_rig.ask(OWNER)
    ask(any_rig)
    assert [message.to for message in any_rig.inbox.messages] == [OWNER.deliver]


def test_a_code_that_comes_back_resets_their_ladder_too(rig: Rig) -> None:
    for number in range(3):
        token = ask(rig, STRANGER)
        assert len(rig.inbox.messages) == number + 1
        assert rig.right(STRANGER, token, rig.code())
