"""Wording: what messages say, what must be in them, and that a text message stays cheap."""

from __future__ import annotations

import re

import pytest

from authguard.delivery import Channel
from authguard.otp import Content, EnglishWording, Text, Wording
from authguard.otp.parts import count_parts
from authguard.otp.wording import bind_to_origin
from tests.otp.rig import Person, Rig

WORDING = EnglishWording("Example", {"login": "log in"})
PHONE = Person("+491712345678", "4711", "+491712345678")
# What fits into the seven bits of GSM 03.38, apart from letters with accents; anything else halves a message's room.
GSM = re.compile(r"[A-Za-z0-9 \n@#$_!\"%&'()*+,\-./:;<=>?]*")


def content(channel: Channel = Channel.MAIL, purpose: str = "login", notice: bool = False) -> Content:
    return Content(purpose, channel, 300_000_000, notice, "012345", "https://example.com/l")


@pytest.mark.parametrize("channel", list(Channel))
@pytest.mark.parametrize("notice", [False, True])
def test_code_link_action_and_notice_are_said(channel: Channel, notice: bool) -> None:
    subject, body = WORDING.write(content(channel, notice=notice))
    assert body.startswith("012345 is your Example code to log in.")
    assert "https://example.com/l" in body
    assert ("Somebody keeps asking" in body) is notice
    assert bool(subject) is (channel is Channel.MAIL)


def test_a_purpose_without_a_word_for_it_continues() -> None:
    assert "code to continue." in WORDING.write(content(purpose="other")).body


def test_minutes_are_said() -> None:
    assert "It lasts 5 minutes." in WORDING.write(content()).body
    one = Content("login", Channel.MAIL, 60_000_000, False, "012345", "https://example.com/l")
    assert "It lasts 1 minute." in WORDING.write(one).body


def test_the_last_line_binds_the_code_to_the_origin() -> None:
    assert bind_to_origin("Text.", "example.com", "012345").splitlines() == ["Text.", "", "@example.com #012345"]


def test_a_text_message_is_two_parts_at_most(rig: Rig) -> None:
    """Two parts of 153 septets (3GPP TS 23.040); a third one would be half as dear again."""
    rig.ask(PHONE)
    (message,) = rig.inbox.messages
    assert GSM.fullmatch(message.text)
    assert len(message.text) <= 2 * 153
    assert message.text.splitlines()[-1] == f"@example.com #{rig.code()}"


@pytest.mark.parametrize("action", ["log in", "choose a new password"])
@pytest.mark.parametrize(("account", "notice"), [("4711", False), ("4711", True), ("u" * 36, False)])
def test_a_text_message_leaves_words_out_where_its_link_is_long(
    rig: Rig, account: str, notice: bool, action: str
) -> None:
    rig.ask(PHONE.but(account=account))
    link = f"https://example.com/continue/{rig.link()}"
    one = Content("reset", Channel.SMS, 300_000_000, notice, "012345", link)
    text = bind_to_origin(EnglishWording("Example", {"reset": action}).write(one).body, "example.com", "012345")
    assert len(text) <= 2 * 153
    assert text.startswith(f"012345 is your Example code to {action}.")
    assert ("Somebody keeps asking" in text) is notice


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", 1),
        ("a" * 160, 1),
        ("a" * 161, 2),
        ("a" * 306, 2),
        ("a" * 307, 3),
        ("Grüße €" * 20, 1),
        ("Grüße €" * 21, 2),
        ("[" * 80, 1),
        ("[" * 81, 2),
        ("ő" * 70, 1),
        ("ő" + "a" * 70, 2),
        ("ő" + "a" * 133, 2),
        ("ő" + "a" * 134, 3),
        ("😀" * 35, 1),
        ("😀" * 36, 2),
    ],
)
def test_parts_are_those_of_the_alphabet_that_a_text_needs(text: str, parts: int) -> None:
    assert count_parts(text) == parts


@pytest.mark.parametrize("name", ["Łódź", "[{~}]" * 5])
def test_a_name_that_takes_more_room_than_letters_leaves_words_out(name: str) -> None:
    one = Content("login", Channel.SMS, 300_000_000, False, "012345", "https://example.com/" + "l" * 168)
    plain = EnglishWording("E" * len(name), {"login": "log in"}).write(one).body
    assert len(EnglishWording(name, {"login": "log in"}).write(one).body) < len(plain)


def test_words_of_your_own() -> None:
    class German:
        """Another language."""

        def write(self, content: Content) -> Text:
            return Text("Code", f"{content.code} {content.link}")

    wording: Wording = German()
    assert wording.write(content()).body == "012345 https://example.com/l"
    assert "012345" not in repr(content())
