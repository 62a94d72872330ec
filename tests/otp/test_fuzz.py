"""Whatever a client sends has one answer; ``make fuzz`` tries a million of what this tries some thousands of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.delivery import Channel
from authguard.errors import IdentityError
from authguard.otp.destination import read_destination
from authguard.otp.digits import is_code
from tests.otp.fuzz import Target, run


def test_malformed_input_is_wrong_and_consumes_nothing() -> None:
    run(3000, seed=7)


@pytest.fixture(scope="module")
def target() -> Target:
    return Target()


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.binary(max_size=40) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)


@given(token=ANYTHING, code=ANYTHING | st.text(st.characters(categories=["Nd", "No"]), min_size=6, max_size=6))
def test_anything_at_all_is_wrong(target: Target, token: object, code: object) -> None:
    target.expect(token, target.code)
    target.expect(token, code)
    if not is_code(code, 6):
        target.expect(target.token, code)
    assert target.rig.following.read(token) is None


@given(st.text(max_size=80), st.sampled_from(Channel))
def test_any_text_is_a_destination_or_is_refused(text: str, channel: Channel) -> None:
    try:
        destination = read_destination(channel, text)
    except IdentityError:
        return
    assert read_destination(channel, destination.address).key == destination.key
