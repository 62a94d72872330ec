"""Identifiers and user names: one field for all three kinds."""

from __future__ import annotations

import pytest

from authguard.errors import ConfigurationError, IdentityError
from authguard.identity import IdentifierKind, Resolver, identifier_key, username_key

EMAIL, PHONE, USERNAME = IdentifierKind.EMAIL, IdentifierKind.PHONE, IdentifierKind.USERNAME


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("  Ann  Lee ", "ann lee"),
        ("ANN\u200bLEE", "annlee"),
        ("\uff21nn", "ann"),
        ("stra\u00dfe", "strasse"),
        ("Zo\u00eb", "zo\u00eb"),
        ("Zoe\u0308", "zo\u00eb"),
        ("\u0130stanbul", "i\u0307stanbul"),
        ("a\u3000b", "a b"),
        ("ann@home", "ann@home"),
    ],
)
def test_username(text: str, key: str) -> None:
    assert username_key(text) == key
    assert username_key(key) == key


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \u200b\u3164\ufe0f ", "empty"),
        ("x" * 321, "too_long"),
        ("\ufdfa" * 300, "too_long"),
        ("ann\0", "invalid"),
        ("ann\x1b[2J", "invalid"),
        ("ann\udcff", "invalid"),
        (None, "not_text"),
    ],
)
def test_username_codes(text: str, code: str) -> None:
    with pytest.raises(IdentityError) as caught:
        username_key(text)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "kind", "key"),
    [
        ("A.Nn+x@gmail.com", EMAIL, "ann@gmail.com"),
        ("+44 20 7946 0958", PHONE, "+442079460958"),
        ("tel:+442079460958", PHONE, "+442079460958"),
        ("020 7946 0958", PHONE, "+442079460958"),
        ("ann.lee", USERNAME, "ann.lee"),
        ("12", USERNAME, "12"),
        ("R2D2", USERNAME, "r2d2"),
    ],
)
def test_one_field(text: str, kind: IdentifierKind, key: str) -> None:
    found = identifier_key(text, default_region="GB")
    assert (found.kind, found.key) == (kind, key)
    assert key not in repr(found)


@pytest.mark.parametrize(
    "text",
    ["ann@", "ann\uff20gmail.com", "ann\u200b@gmail.com", "+44", "+44 20 7946 0958 ext 3", "\uff0b4420x", "tel:x", ""],
)
def test_a_misspelt_address_or_number_is_no_user_name(text: str) -> None:
    with pytest.raises(IdentityError):
        identifier_key(text, default_region="GB")


def test_only_the_kinds_asked_for() -> None:
    assert identifier_key("ann@home", {USERNAME}).kind is USERNAME
    assert identifier_key("+442079460958", {USERNAME}).kind is USERNAME
    assert identifier_key("ann@example.com", ["email", "username"]).kind is EMAIL
    for text, kinds in (("ann", {EMAIL}), ("ann", {PHONE}), ("ann", {EMAIL, PHONE}), ("a@b.example", {PHONE})):
        with pytest.raises(IdentityError):
            identifier_key(text, kinds)
    with pytest.raises(ConfigurationError):
        identifier_key("ann", [])
    with pytest.raises(ConfigurationError):
        identifier_key("ann", ["nickname"])


@pytest.mark.parametrize(("text", "code"), [("x" * 321, "too_long"), (None, "not_text")])
def test_identifier_codes(text: str, code: str) -> None:
    with pytest.raises(IdentityError) as caught:
        identifier_key(text)
    assert caught.value.code == code


def test_any_function_of_the_text_is_a_resolver() -> None:
    accounts = {"ann": "7", "ann@example.com": "7"}
    resolver: Resolver = accounts.get
    assert resolver("ann") == resolver("ann@example.com") == "7"
    assert resolver("nobody") is None
