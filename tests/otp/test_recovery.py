"""Recovery codes: long enough to need no slow hash, and forgiving about how they are copied from paper."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.otp.recovery import ALPHABET, LENGTH, hash_recovery_code, new_recovery_codes

CODE = "0123-4567-89AB-CDEF-GHJK-MNPQ"
HASH = hash_recovery_code("42", CODE)


def test_ten_codes_of_120_bits() -> None:
    codes = new_recovery_codes()
    assert len(set(codes)) == 10
    for code in codes:
        plain = code.replace("-", "")
        assert (len(plain), len(code)) == (LENGTH, LENGTH + 5)
        assert set(plain) <= set(ALPHABET)
    assert LENGTH * 5 == 120
    assert len(set("".join(new_recovery_codes(100)))) == len(ALPHABET) + 1


@pytest.mark.parametrize(
    "spelling",
    [
        CODE,
        CODE.lower(),
        CODE.replace("-", ""),
        CODE.replace("-", " "),
        " " + CODE + " ",
        CODE.replace("0", "O").replace("1", "I"),
        CODE.replace("0", "o").replace("1", "l"),
    ],
)
def test_spellings_of_one_code_are_one_code(spelling: str) -> None:
    assert HASH is not None
    assert hash_recovery_code("42", spelling) == HASH


def test_accounts_and_codes_have_hashes_of_their_own() -> None:
    assert hash_recovery_code("43", CODE) != HASH
    assert hash_recovery_code("42", CODE[:-1] + "R") != HASH


@pytest.mark.parametrize("text", ["", CODE[:-1], CODE + "0", CODE[:-1] + "U", CODE[:-1] + "é", "0" * 1000, CODE * 2])
def test_what_is_no_code_has_no_hash(text: str) -> None:
    assert hash_recovery_code("42", text) is None


@pytest.mark.fuzz
@given(st.text(max_size=60))
def test_no_text_is_an_error(text: str) -> None:
    made = hash_recovery_code("42", text)
    assert made is None or len(made) == 64
