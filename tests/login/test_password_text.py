"""Which submitted values are passwords: the same answer for known and unknown accounts, and never a traceback."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.errors import PasswordError
from authguard.login.adapters import BcryptHasher, WerkzeugHasher
from authguard.login.argon2_hasher import UNSAFE_FOR_TESTS, Argon2Hasher
from authguard.login.passwords import Passwords
from authguard.login.text import Normalization
from tests.login.work import count_work

CHEAP = Argon2Hasher(UNSAFE_FOR_TESTS)
PASSWORDS = Passwords(CHEAP, adapters=(WerkzeugHasher("pbkdf2:sha256:2"), BcryptHasher(4)))
STORED = PASSWORDS.hash("right")
NFC, NFD = "caf\u00e9", "cafe\u0301"

REFUSED: dict[str, list[object]] = {
    "too_long": ["x" * 1025, "x" * 1_000_000, "\u00e9" * 513, "\U0001f600" * 257, "\ud800" * 1025],
    "nul": ["\0", "right\0", "ri\0ght"],
    "surrogate": ["\ud800", "right\udfff", "\ud83d"],
    "not_text": [None, b"right", 5, ["right"], {"$ne": ""}, True],
}


def answer(action: Callable[[], bool | str]) -> bool | str:
    try:
        return action()
    except PasswordError as refused:
        return refused.code


@pytest.mark.parametrize(("code", "password"), [(code, each) for code, many in REFUSED.items() for each in many])
def test_refused_before_any_work_whatever_is_stored(code: str, password: object) -> None:
    def attempt(stored: str | None) -> None:
        with pytest.raises(PasswordError) as refused:
            PASSWORDS.verify(stored, password)  # type: ignore[arg-type]
        assert (refused.value.code, str(refused.value)) == (code, code)
        assert refused.value.__context__ is None

    for stored in (STORED, None, "!"):
        assert count_work(lambda stored=stored: attempt(stored)).hashes == []  # type: ignore[misc]
    with pytest.raises(PasswordError, match=code):
        PASSWORDS.hash(password)  # type: ignore[arg-type]
    with pytest.raises(PasswordError, match=code):
        PASSWORDS.refuse_malformed(password)


def test_the_longest_password_is_taken_whole() -> None:
    longest = "x" * 1023 + "y"
    stored = PASSWORDS.hash(longest)
    assert PASSWORDS.verify(stored, longest)
    assert not PASSWORDS.verify(stored, "x" * 1024)
    PASSWORDS.refuse_malformed("\U0001f600" * 64)


def test_the_same_word_from_any_keyboard_is_one_password() -> None:
    stored = PASSWORDS.hash(NFD + "\u00a0x")
    assert PASSWORDS.verify(stored, NFC + " x")
    assert not PASSWORDS.verify(PASSWORDS.hash("fi 1"), "\ufb01 \u2460")
    folding = Passwords(Argon2Hasher(UNSAFE_FOR_TESTS, normalization=Normalization.NFKC))
    assert folding.verify(folding.hash("fi 1"), "\ufb01 \u2460")


@pytest.mark.parametrize("typed", [NFC, NFD])
def test_a_foreign_table_is_read_as_it_was_written(typed: str) -> None:
    for adapter in (WerkzeugHasher("pbkdf2:sha256:2"), BcryptHasher(4)):
        old = adapter.hash(typed)
        replacement = PASSWORDS.verify_and_rehash(old, typed).replacement
        assert replacement is not None
        assert PASSWORDS.verify(replacement, NFC)
        assert not PASSWORDS.verify(old, NFC if typed == NFD else NFD)


@given(
    st.text(st.characters(codec=None), max_size=80),
    st.one_of(st.none(), st.text(st.characters(codec=None)), st.binary()),
)
def test_any_text_against_anything_stored_is_false_or_a_code(password: str, stored: str | bytes | None) -> None:
    assert answer(lambda: PASSWORDS.verify(stored, password)) in (False, *REFUSED)


@given(st.text(st.characters(codec=None), min_size=1, max_size=300))
def test_any_text_that_can_be_hashed_is_right_afterwards(password: str) -> None:
    stored = answer(lambda: PASSWORDS.hash(password))
    if stored in REFUSED:
        return
    assert isinstance(stored, str)
    assert PASSWORDS.verify(stored, password)
    assert not PASSWORDS.verify(stored, password[:-1])
    assert not PASSWORDS.verify(None, password)


_ALPHABET = st.text("$./=,:+ABCDEFabcdef0123456789vmtpid2ybargonscrypthe", max_size=120)
_SHAPED = st.one_of(
    st.from_regex(
        r"\$argon2(id|i|d)\$v=19\$m=[0-9]{1,2},t=[0-3],p=[0-3]\$[A-Za-z0-9+/]{11,24}\$[A-Za-z0-9+/]{22,44}",
        fullmatch=True,
    ),
    st.from_regex(r"\$2[abxy]\$0[0-5]\$[./A-Za-z0-9]{53}", fullmatch=True),
    st.from_regex(r"scrypt:(1|2|3|1024):[0-9]:[0-2]\$[a-z]{1,9}\$[0-9a-f]{128}", fullmatch=True),
    st.from_regex(r"pbkdf2:(sha256|sha1|shake_128|md5|none):[0-9]\$[a-z]{1,9}\$[0-9a-f]{32,64}", fullmatch=True),
    st.builds(lambda text, at: text[:at], st.just(STORED), st.integers(0, len(STORED) - 1)),
    _ALPHABET,
)


@given(_SHAPED)
def test_anything_shaped_like_a_hash_is_false_after_a_whole_hash_of_each_scheme(stored: str) -> None:
    work = count_work(lambda: PASSWORDS.verify(stored, "right"))
    assert not PASSWORDS.verify(stored, "right")
    # A stored hash that its scheme can check stands in for that scheme's dummy, at its own parameters.
    for scheme in (("$argon2",), ("scrypt:", "pbkdf2:"), ("$2",)):
        assert any(each.startswith(scheme) for each in work.hashes)
