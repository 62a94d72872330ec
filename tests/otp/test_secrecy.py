"""Secrecy: what is stored, logged, shown and kept by browsers names nobody and holds no code; tokens can't be bent."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.observe import LogObserver
from authguard.otp.binding import is_one_of
from authguard.stores.sqlite import SQLiteStore
from tests.otp.rig import OTHER_SECRET, SECRET, Person, Rig

MAIL = Person()
PHONE = Person("+491712345678", "account-4711", "+491712345678", "198.51.100.7")
MINUTE = 60 * SECOND


def test_nothing_personal_and_no_code_in_store_log_or_token(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "store.db"
    rig = Rig(SQLiteStore(path, deadline=30 * SECOND, clock=ManualClock()), lambda _: None)
    secrets = {"example.com", "owner", "1712345678", "account-4711", "192.0.2.1", "198.51.100.7", "b" * 32}
    tokens = []
    with caplog.at_level(logging.DEBUG):
        for person in (MAIL, PHONE):
            sent = rig.ask(person)
            tokens.append(sent.token)
            secrets |= {rig.code(), rig.link()}
            rig.check(person, sent.token, rig.wrong())
            rig.follow(person, rig.link() + "x")
            assert rig.right(person, sent.token, rig.code())
        for event in rig.recorder.events:
            LogObserver().observe(event)
    told = repr(rig.recorder.events) + caplog.text + repr(tokens)
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert len(stored) > 4096
    for secret in secrets:
        assert secret not in told
        assert secret.encode() not in stored
    rig.close()


def test_a_repr_shows_nothing(rig: Rig) -> None:
    sent = rig.ask(MAIL)
    shown = repr((MAIL.binding, sent, rig.following.read(rig.link()), rig.inbox.messages))
    assert all(secret not in shown for secret in ("example.com", "42", rig.code(), sent.token, "b" * 32))


def test_a_token_is_of_one_length_whatever_it_is_about(rig: Rig) -> None:
    people = (
        MAIL,
        PHONE,
        Person("nobody@example.net", None, None),
        MAIL.but(to="x" * 200 + "@example.com", ip="1.1.1.1"),
    )
    lengths = {len(rig.ask(person).token) for person in people}
    assert len(lengths) == 1
    assert lengths.pop() <= 512


def test_other_spellings_of_a_token_are_no_token(rig: Rig) -> None:
    token, code = rig.ask(MAIL).token, rig.code()
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    spellings = [token + "=", token + "==", token + "\n", " " + token, token.replace("A", "a", 1), token[:-1]]
    spellings += [token[:-1] + each for each in last if each != token[-1]]
    for spelling in spellings:
        assert not rig.right(MAIL, spelling, code)
    assert set(rig.results()) == {"foreign"}
    assert rig.right(MAIL, token, code)


def test_a_link_is_no_token_and_a_token_no_link(rig: Rig) -> None:
    token = rig.ask(MAIL).token
    assert not rig.right(MAIL, rig.link(), rig.code())
    assert rig.following.read(token) is None


def test_a_rotation_keeps_codes_valid_counted_and_aging() -> None:
    old = Rig(secrets=(OTHER_SECRET,))
    sent, code = old.ask(MAIL), old.code()
    for number in range(3):
        assert not old.right(MAIL, sent.token, old.wrong(number))
    rotated = Rig(old.store, old.advance, secrets=(SECRET, OTHER_SECRET), inbox=old.inbox)
    assert not rotated.right(MAIL.but(purpose="reset"), sent.token, code)
    assert rotated.right(MAIL, sent.token, code)
    fresh = rotated.ask(MAIL)
    assert rotated.right(MAIL, fresh.token, rotated.code())
    gone = Rig(old.store, old.advance, secrets=(SECRET,), inbox=old.inbox)
    later = old.ask(MAIL.but(ip="192.0.2.77"))
    assert later.refused is None
    assert not gone.right(MAIL, later.token, old.code())
    old.advance(5 * MINUTE)
    assert not rotated.right(MAIL, later.token, old.code())
    for rig in (old, rotated, gone):
        rig.sender.close()


def test_every_tag_is_looked_at() -> None:
    assert is_one_of(b"b", (b"a", b"b"))
    assert is_one_of(b"a", (b"a", b"b"))
    assert not is_one_of(b"c", (b"a", b"b"))
    assert not is_one_of(b"a", ())


@pytest.mark.parametrize("purpose", ["", "Log in", "a" * 65, "login\n", "-login"])
def test_a_purpose_is_a_word(purpose: str) -> None:
    with pytest.raises(ValueError, match="a word of your own"):
        MAIL.but(purpose=purpose).binding  # noqa: B018 - made to be refused


def test_an_account_fits_into_its_link(rig: Rig) -> None:
    longest = MAIL.but(account="é" * 100)
    rig.ask(longest)
    assert len(rig.link()) <= 512
    reader = rig.follow(longest, rig.link()).reader
    assert reader is not None
    assert reader.account == longest.account
    with pytest.raises(ValueError, match="at most 200 bytes"):
        MAIL.but(account="é" * 101).binding  # noqa: B018 - made to be refused


def test_the_longest_address_fits_into_its_link(rig: Rig) -> None:
    address = "x" * 64 + "@" + ".".join(["y" * 60] * 3) + ".com"
    person = MAIL.but(to=address, deliver=address, account=None)
    rig.ask(person)
    reader = rig.follow(person, rig.link()).reader
    assert reader is not None
    assert reader.to == address
