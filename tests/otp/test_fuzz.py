"""Whatever a client sends: one answer, no error, nothing consumed. ``make fuzz`` tries a million of each."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.delivery import Channel
from authguard.errors import IdentityError
from authguard.otp.destination import channel_of, read_destination
from tests.otp.rig import Person, Rig

OWNER = Person()
RIG = Rig()
TOKEN = RIG.ask(OWNER).token
CODE, LINK = RIG.code(), RIG.link()
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@st.composite
def bent(draw: Any, good: str) -> str:
    """Return ``good`` with a few characters changed, dropped, doubled or put in."""
    text = list(good)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(text)))
        piece = draw(st.one_of(st.sampled_from(ALPHABET), st.characters(), st.just("")))
        text[place : place + draw(st.integers(0, 2))] = list(piece)
    return "".join(text)


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.binary(max_size=40),
    st.text(max_size=40),
    st.text("0123456789", max_size=14),
    st.text(st.characters(categories=["Nd", "No"]), min_size=6, max_size=6),
    st.lists(st.text("0123456789", min_size=1, max_size=6), max_size=6),
    st.dictionaries(st.text(max_size=4), st.text(max_size=8), max_size=2),
)


@pytest.mark.fuzz
@given(ANYTHING)
def test_no_code(code: object) -> None:
    if type(code) is str and len(code) == 6 and code.isascii() and code.isdecimal():
        return
    checked = RIG.check(OWNER, TOKEN, code)
    assert (checked.right, checked.refused) == (False, None)


@pytest.mark.fuzz
@given(st.one_of(bent(TOKEN), bent(LINK), ANYTHING, st.text(ALPHABET, max_size=600)))
def test_no_token(token: object) -> None:
    if token in (TOKEN, LINK):
        return
    checked = RIG.check(OWNER, token, CODE)
    assert (checked.right, checked.refused) == (False, None)
    assert RIG.following.read(token) is None
    assert RIG.follow(OWNER, token).reader is None


@pytest.mark.fuzz
@given(st.one_of(st.text(max_size=80), bent("owner@example.com"), bent("+491712345678")))
def test_no_destination(address: str) -> None:
    for channel in (channel_of(address), Channel.MAIL, Channel.SMS):
        try:
            destination = read_destination(channel, address)
        except IdentityError:
            continue
        assert read_destination(channel, destination.address).key == destination.key


def test_nothing_was_consumed() -> None:
    """Runs last in this file: after everything above the code is still good."""
    assert RIG.right(OWNER, TOKEN, CODE)
    RIG.close()
