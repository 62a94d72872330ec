"""Links: whoever gets the message gets in, whatever others did; once, for its purpose, and not by looking."""

from __future__ import annotations

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.errors import ConfigurationError
from authguard.guard.ruling import Refusal
from authguard.otp import LinkTemplate, Reader
from tests.guard.rig import DeadStore
from tests.otp.race import at_once
from tests.otp.rig import OTHER_SECRET, SECRET, Person, Rig

OWNER = Person()
STRANGER = OWNER.but(ip="203.0.113.5", browser="e" * 32)
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


def test_a_link_speaks_for_its_account_once(any_rig: Rig) -> None:
    any_rig.ask(OWNER)
    link = any_rig.link()
    assert any_rig.follow(OWNER, link).reader == Reader(account="42")
    assert any_rig.follow(OWNER, link).reader is None
    assert any_rig.results() == ["link", "used_link"]


def test_without_an_account_it_speaks_for_what_was_typed(rig: Rig) -> None:
    person = OWNER.but(account=None, to=" New@example.com ", deliver="New@example.com")
    rig.ask(person)
    assert rig.follow(person, rig.link()).reader == Reader(to="New@example.com")


def test_looking_consumes_nothing(any_rig: Rig) -> None:
    any_rig.ask(OWNER)
    for _ in range(20):
        assert any_rig.following.read(any_rig.link()) == Reader(account="42")
    assert any_rig.follow(OWNER, any_rig.link()).reader is not None


def test_code_and_link_are_one_success(any_rig: Rig) -> None:
    sent = any_rig.ask(OWNER)
    assert any_rig.right(OWNER, sent.token, any_rig.code())
    assert any_rig.follow(OWNER, any_rig.link()).reader is None
    other = OWNER.but(to="x@example.net", deliver="x@example.net", account="7")
    sent = any_rig.ask(other)
    assert any_rig.follow(other, any_rig.link()).reader is not None
    assert not any_rig.right(other, sent.token, any_rig.code())


def test_fifty_clicks_at_once_have_one_winner(any_rig: Rig) -> None:
    any_rig.ask(OWNER)
    won = at_once(50, lambda: any_rig.follow(OWNER, any_rig.link()).reader is not None)
    assert sorted(won) == [False] * 49 + [True]


def test_the_owner_gets_in_through_the_message_that_a_stranger_caused(rig: Rig) -> None:
    """Every guess, every message and every failure of a day burnt by a stranger; the owner has a fresh browser."""
    token = ""
    for gap in (0, 60 * SECOND, 300 * SECOND):
        rig.advance(gap)
        token = rig.ask(STRANGER).token
        for number in range(5):
            rig.check(STRANGER, token, rig.wrong(number))
    for number in range(30):
        rig.check(STRANGER.but(ip=f"198.51.{number}.1"), token, rig.wrong(number))
    rig.advance(10 * 60 * MINUTE)
    assert rig.follow(OWNER.but(browser="f" * 32, ip="192.0.2.99"), rig.link()).reader == Reader(account="42")


@pytest.mark.parametrize(
    "other",
    [OWNER.but(purpose="reset"), OWNER.but(deliver="new@example.com"), OWNER.but(deliver=None)],
    ids=["purpose", "destination", "no destination"],
)
def test_another_purpose_or_a_mailbox_given_up_consumes_nothing(rig: Rig, other: Person) -> None:
    rig.ask(OWNER)
    for _ in range(3):
        assert rig.follow(other, rig.link()).reader is None
    assert rig.follow(OWNER, rig.link()).reader is not None


def test_a_link_lives_a_day_of_the_stores_time(rig: Rig) -> None:
    rig.ask(OWNER)
    rig.advance(DAY - 1)
    assert rig.following.read(rig.link()) is not None
    rig.advance(1)
    assert rig.following.read(rig.link()) is None
    assert rig.follow(OWNER, rig.link()).reader is None


def test_a_newer_message_of_the_same_challenge_stops_the_link_before_it(rig: Rig) -> None:
    first = rig.ask(OWNER)
    rig.advance(MINUTE)
    rig.ask(OWNER, first.token)
    old, new = rig.link(0), rig.link(1)
    assert rig.follow(OWNER, old).reader is None
    assert rig.follow(OWNER, new).reader is not None


def test_used_is_used_for_as_long_as_a_link_could_live(rig: Rig) -> None:
    rig.ask(OWNER)
    assert rig.follow(OWNER, rig.link()).reader is not None
    rig.advance(DAY - SECOND)
    assert rig.follow(OWNER, rig.link()).reader is None


def test_a_retired_secret_opens_nothing_and_a_retiring_one_keeps_the_age() -> None:
    old = Rig(secrets=(OTHER_SECRET,))
    old.ask(OWNER)
    rotated = Rig(old.store, old.advance, secrets=(SECRET, OTHER_SECRET))
    assert rotated.following.read(old.link()) == Reader(account="42")
    gone = Rig(old.store, old.advance, secrets=(SECRET,))
    assert gone.follow(OWNER, old.link()).reader is None
    old.advance(DAY)
    assert rotated.following.read(old.link()) is None
    for rig in (old, rotated, gone):
        rig.sender.close()


def test_nobody_can_tell_without_a_store() -> None:
    alive = Rig()
    alive.ask(OWNER)
    dead = Rig(DeadStore(ManualClock()))
    refused = dead.follow(OWNER, alive.link()).refused
    assert refused is not None
    assert refused.refusal is Refusal.BUSY
    alive.close()
    dead.close()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/{token}",
        "https://example.com/",
        "https://{token}.example.com/",
        "https:///{token}",
        "https://example.com/{token}/{token}",
        "/continue/{token}",
    ],
)
def test_a_link_that_leads_nowhere_safe_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError):
        LinkTemplate(url)


def test_a_link_leads_where_it_was_configured() -> None:
    template = LinkTemplate("http://localhost:5000/c#{token}")
    assert template.url("abc") == "http://localhost:5000/c#abc"
    assert template.host == "localhost"
