"""E-mail keys, on inputs that no vector lists."""

from __future__ import annotations

import pytest

from authguard.errors import IdentityError
from authguard.identity import email_key
from authguard.identity.email import _key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("john.+tag@company.com", "john@company.com"),  # the cut would leave a dot at the end
        ("john.-kw@yahoo.com", "john@yahoo.com"),
        ("-ivan@yandex.ru", "ivan@yandex.ru"),  # the swap would leave a dot in front
        ("ivan--petrov@ya.ru", "ivan.petrov@yandex.ru"),
        ("---@yandex.ru", "---@yandex.ru"),
        ("-+x@yandex.ru", "-@yandex.ru"),
        ("_+x@pm.me", "_@protonmail.com"),
        ("a+b+c@example.com", "a@example.com"),
        ("user@gmail.com\u3002", "user@gmail.com"),  # an ideographic full stop is a root dot too
        ("user@GMAIL\uff0eCOM", "user@gmail.com"),
        ("\uff35ser\uff0b\uff54ag@gmail.com", "user@gmail.com"),  # the plus sign is full-width as well
        ("x@user.fastmail.fm", "user@fastmail.fm"),
        ("Straße.Name@straße.de", "strasse.name@xn--strae-oqa.de"),
        ("o'brien@example.com", "o'brien@example.com"),
        ("a.\u0301b@gmail.com", "\u00e1b@gmail.com"),  # dropping the dot lets the accent join
        ("\ufdfa@example.com", None),  # one character that becomes eighteen, with spaces among them
        ("a\uff20b@gmail.com", None),  # a full-width at sign in the local part
        ("\uff02user\uff02@gmail.com", None),  # full-width quotes do not quote
        ("a\u2025b@gmail.com", None),  # two dots in one character
        ("\u00b4user@gmail.com", None),  # folds to a space and a combining mark
        ("a\u2474@gmail.com", None),  # folds to parentheses, a comment
        ("user@\uff01.com", None),
        ("\ud800@example.com", None),
        ("user@exa\ud800mple.com", None),
        ("user@" + "a" * 64 + ".com", None),
        ("user@" + "a." * 120 + "com", "user@" + "a." * 120 + "com"),
        ("user@example..", None),
        ("user@[127.0.0.1]", None),
        ("user@example.test", None),
        ("user@xn--gmail-.com", None),
        ("user@@gmail.com", None),
        ("user@gmail.com@gmail.com", None),
        ("us\ter@gmail.com", None),
        (".user@gmail.com", None),
        ("user.@gmail.com", None),
    ],
)
def test_key(text: str, key: str | None) -> None:
    if key is None:
        with pytest.raises(IdentityError):
            email_key(text)
    else:
        assert email_key(text) == key
        assert email_key(key) == key


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \t\n", "empty"),
        ("a" * 321, "too_long"),
        ("@" * 100_000, "too_long"),
        ("a" * 250 + "@example.com", "too_long"),
        ("\u00e9" * 130 + "@example.com", "too_long"),
        ('"two words"@example.com', "quoted_local"),
        ("nobody", "invalid"),
        (None, "not_text"),
        (b"user@example.com", "not_text"),
        (["user@example.com"], "not_text"),
    ],
)
def test_codes_are_stable(text: str, code: str) -> None:
    with pytest.raises(IdentityError) as caught:
        email_key(text)
    assert caught.value.code == code


def test_errors_keep_the_address_to_themselves() -> None:
    with pytest.raises(IdentityError) as caught:
        email_key("secret.person@@example.com")
    error: BaseException | None = caught.value
    assert "secret" not in str(error)
    assert caught.value.__suppress_context__


def test_the_memory_of_answers_is_bounded() -> None:
    size = _key.cache_info().maxsize
    assert size is not None
    for number in range(size + 50):
        email_key(f"\u00fc{number}@example.com")
    assert _key.cache_info().currsize == size
