"""Folding: done twice it is done once, whatever marks and invisible characters are mixed."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from authguard.identity.folding import IGNORABLE, fold


@cache
def scalars() -> list[str]:
    """Return every character, once a test asks for it: whoever only collects the tests would wait for it."""
    return [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]


@cache
def marks() -> list[str]:
    """Return those that combine with others or can't be seen."""
    return [character for character in scalars() if unicodedata.combining(character) or IGNORABLE.match(character)]


@cache
def changing() -> list[str]:
    """Return those that aren't folded yet."""
    return [
        character
        for character in scalars()
        if character.casefold() != character or unicodedata.normalize("NFKC", character) != character
    ]


CHARACTERS = st.deferred(lambda: st.sampled_from(marks()) | st.sampled_from(changing()) | st.characters())


def test_every_character_settles_in_one_fold() -> None:
    assert [character for character in changing() if fold(fold(character)) != fold(character)] == []


@given(text=st.lists(CHARACTERS, max_size=8).map("".join))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


def test_what_an_invisible_character_kept_apart_comes_together() -> None:
    assert fold("e\u034f\u0301") == fold("\u00c9") == "\u00e9"


def test_invisible_characters_of_every_block_are_gone() -> None:
    assert fold("a\u00ad\u115f\u17b4\u200b\u2060\u3164\ufe0f\ufeff\uffa0\U000e0041b") == "ab"


def test_letters_that_only_look_alike_stay_apart() -> None:
    assert len({fold("mike"), fold("m\u0131ke"), fold("m\u0456ke")}) == 3
