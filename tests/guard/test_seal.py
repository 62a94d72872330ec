"""Seals: one spelling, one purpose, and an age that survives a rotation."""

from __future__ import annotations

import base64

import pytest

from authguard.clock import SECOND
from authguard.errors import TokenError
from authguard.guard.seal import LONGEST_TOKEN, Seal

OLD, NEW = b"o" * 32, b"n" * 32
NOW = 1_700_000_000 * SECOND + 123_456
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def seal(*secrets: bytes, app: str = "shop", purpose: str = "device") -> Seal:
    return Seal(secrets or (OLD,), app=app, purpose=purpose)


def test_a_token_holds_its_payload_and_its_time_to_the_microsecond() -> None:
    token = seal().seal(b"payload", NOW)
    assert seal().open(token) == (b"payload", NOW)
    assert set(token) <= set(ALPHABET)
    assert b"payload" not in base64.urlsafe_b64decode(token + "==")


def test_no_two_tokens_are_alike() -> None:
    assert len({seal().seal(b"x", NOW) for _ in range(50)}) == 50


@pytest.mark.parametrize("size", range(16))
def test_only_the_spelling_that_was_made_opens(size: int) -> None:
    token = seal().seal(b"x" * size, NOW)
    spellings = {
        token + "=",
        token + "==",
        token + "\n",
        " " + token,
        token[:-1],
        token + "A",
        token[:20] + "." + token[20:],
    }
    # The last letter has bits to spare: several letters decode to the same bytes.
    spellings |= {token[:-1] + letter for letter in ALPHABET} - {token}
    spellings |= {token.replace("-", "+").replace("_", "/")} - {token}
    for spelling in spellings:
        with pytest.raises(TokenError):
            seal().open(spelling)


@pytest.mark.parametrize(
    "token", ["", "=", "a", "é" * 100, "gAAAA", "A" * (LONGEST_TOKEN + 1), "\x00" * 140, "A" * 140]
)
def test_what_is_no_token_is_refused_with_one_error(token: str) -> None:
    with pytest.raises(TokenError) as raised:
        seal().open(token)
    assert str(raised.value) == ""


def test_every_changed_bit_is_refused() -> None:
    raw = bytearray(base64.urlsafe_b64decode(seal().seal(b"x", NOW) + "=="))
    for position in range(len(raw)):
        changed = bytearray(raw)
        changed[position] ^= 1
        with pytest.raises(TokenError):
            seal().open(base64.urlsafe_b64encode(changed).decode().rstrip("="))


@pytest.mark.parametrize(
    "other", [seal(purpose="challenge"), seal(app="blog"), seal(NEW), seal(app="shop:device", purpose="")]
)
def test_another_purpose_application_or_secret_does_not_open_it(other: Seal) -> None:
    with pytest.raises(TokenError):
        other.open(seal().seal(b"x", NOW))


def test_a_retiring_secret_s_token_opens_and_keeps_its_age_and_a_retired_one_s_does_not() -> None:
    token = seal(OLD).seal(b"x", NOW)
    assert seal(NEW, OLD).open(token) == (b"x", NOW)
    with pytest.raises(TokenError):
        seal(NEW).open(token)
    with pytest.raises(TokenError):
        seal(OLD).open(seal(NEW, OLD).seal(b"x", NOW))
