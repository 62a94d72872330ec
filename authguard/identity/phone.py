"""Phones: one number for every spelling of it, to count by and to send to."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from authguard.errors import ConfigurationError, IdentityError

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber as ParsedNumber

LONGEST_PHONE = 64
"""Characters accepted, counted before any parser sees them; more than any spelling of 17 digits needs."""

_CACHED = 1024
_MOST_PASSES = 4
_ARGENTINA, _BRAZIL, _MEXICO = 54, 55, 52
# Digits, at most one run of plus signs before them, and what people put between; no list separator among it.
_SPELLING = re.compile(r"[ ().\-]*(?:\++)?[0-9 ().\-/]*[0-9][ ().\-]*")
_DASHES = re.compile("[\u2010-\u2015\u2212\u2053\u223c]")
_TEL = re.compile(r"\s*tel:", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PhoneNumber:
    """A possible phone number. Its parts are hidden from ``repr``: they are personal.

    ``e164`` is the form to send to (ITU-T E.164, ``+`` and at most 17 digits as numbering plans have
    them), ``key`` the one to count by: they differ where one subscriber answers to two numbers.
    ``region`` is the ISO 3166 region the number belongs to, ``001`` for a worldwide service, ``None``
    where the numbering plan assigns it to nobody known.
    """

    e164: str = field(repr=False)
    key: str = field(repr=False)
    region: str | None


def phone_key(text: str, default_region: str | None = None) -> str:
    """Return the counting key of a phone number: never send to it. See :func:`phone_number` for what is accepted."""
    return phone_number(text, default_region).key


def phone_number(text: str, default_region: str | None = None) -> PhoneNumber:
    """Return the number that ``text`` spells, dialled from ``default_region`` unless it says its country.

    Accepted is what is *possible* by the length rules of its country, not only what is assigned:
    metadata lags behind new ranges. Counting merges what reaches one subscriber: Argentina's mobile
    9 is dropped, Brazil's ninth digit inserted, Mexico's retired 1 after ``+52`` dropped.

    Raises :class:`IdentityError`: ``not_text``, ``too_long`` (over 64 characters, or digits), ``empty``,
    ``letters`` (words, vanity letters, extensions), ``junk`` (list separators, control characters),
    ``country`` (no or an unknown country), ``too_short``, ``local_only``, ``length``, ``not_a_number``.

    The last 1,024 answers are remembered, in this process's memory only.
    """
    if not isinstance(text, str):
        raise IdentityError("not_text")
    if len(text) > LONGEST_PHONE:
        raise IdentityError("too_long")
    return _number(text, default_region.upper() if default_region else None)


def check_region(region: str) -> str:
    """Return ``region`` in upper case; raises :class:`ConfigurationError` where no numbering plan has that code."""
    from phonenumbers import SUPPORTED_REGIONS

    code = str(region).strip().upper()
    if code not in SUPPORTED_REGIONS:
        hint = "GB" if code == "UK" else "an ISO 3166 code such as 'DE'"
        raise ConfigurationError(f"{region!r} is no phone region; write {hint}")
    return code


@lru_cache(maxsize=_CACHED)
def _number(text: str, region: str | None) -> PhoneNumber:
    from phonenumbers import region_code_for_number

    parsed = _settled(_clean(text), region)
    e164, key = _e164(parsed), _counted(parsed)
    if key != e164 and _counted(_settled(key, None)) != key:
        raise IdentityError("unstable")
    return PhoneNumber(e164, key, region_code_for_number(parsed))


def _clean(text: str) -> str:
    """Return ``text`` with ASCII digits and separators only."""
    folded = unicodedata.normalize("NFKC", text)
    folded = "".join(character for character in folded if unicodedata.category(character) != "Cf").strip()
    folded = _TEL.sub("", folded, count=1).strip() if _TEL.match(folded) else folded
    if not folded:
        raise IdentityError("empty")
    cleaned = []
    for character in _DASHES.sub("-", folded):
        kind = unicodedata.category(character)
        if kind[0] == "L":
            raise IdentityError("letters")
        if kind == "Nd":
            cleaned.append(str(unicodedata.digit(character)))
        else:
            cleaned.append(" " if kind == "Zs" or character == "\t" else character)
    spelled = "".join(cleaned)
    if len(spelled) > LONGEST_PHONE:
        raise IdentityError("too_long")
    if not _SPELLING.fullmatch(spelled):
        raise IdentityError("junk")
    return spelled


def _settled(spelled: str, region: str | None) -> ParsedNumber:
    """Return the number that stays itself when it is read again: each reading may take a trunk prefix off."""
    parsed = _parse(spelled, region)
    for _ in range(_MOST_PASSES):
        again = _parse(_e164(parsed), None)
        if _e164(again) == _e164(parsed):
            return again
        parsed = again
    raise IdentityError("unstable")


def _parse(spelled: str, region: str | None) -> ParsedNumber:
    from phonenumbers import (
        CountryCodeSource,
        NumberParseException,
        ValidationResult,
        is_possible_number_with_reason,
        parse,
    )

    try:
        number = parse(spelled, region, keep_raw_input=True)
    except NumberParseException as problem:
        raise IdentityError(_PARSE_CODES.get(problem.error_type, "not_a_number")) from None
    said_country = number.country_code_source in (
        CountryCodeSource.FROM_NUMBER_WITH_PLUS_SIGN,
        CountryCodeSource.FROM_NUMBER_WITH_IDD,
    )
    national = str(number.national_number)
    if said_country and number.country_code == _MEXICO and len(national) == 11 and national[0] == "1":
        number.national_number = int(national[1:])
    verdict = is_possible_number_with_reason(number)
    if verdict != ValidationResult.IS_POSSIBLE:
        raise IdentityError(_LENGTH_CODES.get(verdict, "length"))
    return number


def _e164(number: ParsedNumber) -> str:
    # Not the library's format_number: for a number of zeros only it returns what the client typed.
    from phonenumbers import national_significant_number

    return f"+{number.country_code}{national_significant_number(number)}"


def _counted(number: ParsedNumber) -> str:
    """Return the E.164 form with what reaches one subscriber made one."""
    e164 = _e164(number)
    national = e164.removeprefix(f"+{number.country_code}")
    if number.country_code == _ARGENTINA and len(national) == 11 and national[0] == "9":
        return f"+54{national[1:]}"
    if number.country_code == _BRAZIL and len(national) == 10 and national[2] in "6789":
        return f"+55{national[:2]}9{national[2:]}"
    return e164


# NumberParseException.error_type and ValidationResult, by value: importing the library for the names costs 45 ms.
_PARSE_CODES = {0: "country", 1: "not_a_number", 2: "too_short", 3: "too_short", 4: "too_long"}
_LENGTH_CODES = {1: "country", 2: "too_short", 3: "too_long", 4: "local_only"}
