"""Mail domains: who owns one, and what kind of mailbox it gives."""

from __future__ import annotations

import sys

import pytest

from authguard.errors import ConfigurationError, IdentityError
from authguard.identity import EmailClass, EmailRules, domain_key, email_class, mail_domains


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a1@farm.example.com", "example.com"),
        ("b2@x.y.example.com", "example.com"),
        ("c@shop.example.co.uk", "example.co.uk"),
        ("d@ann.github.io", "ann.github.io"),
        ("d@github.io", "github.io"),
        ("e@b\u00fccher.example", "xn--bcher-kva.example"),
        ("f@gmail.com", None),
        ("g@googlemail.com", None),
        ("h@user.fastmail.com", None),
        ("i@sub.mail.ru", None),
        ("j@privaterelay.appleid.com", None),
    ],
)
def test_domain(text: str, key: str | None) -> None:
    assert domain_key(text) == key


def test_added_free_mail_has_no_domain_key() -> None:
    rules = EmailRules.default().extended(free_mail=["uni.example"])
    assert domain_key("a@uni.example", rules) is None
    assert domain_key("a@uni.example") == "uni.example"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a@example.com", EmailClass.NORMAL),
        ("a@gmail.com", EmailClass.NORMAL),
        ("x9@privaterelay.appleid.com", EmailClass.RELAY),
        ("x9@duck.com", EmailClass.RELAY),
        ("me@alias.simplelogin.com", EmailClass.RELAY),
        ("a@yopmail.com", EmailClass.DISPOSABLE),
        ("a@inbox.yopmail.com", EmailClass.DISPOSABLE),
    ],
)
def test_class(text: str, kind: EmailClass) -> None:
    assert email_class(text) is kind


def test_what_an_application_adds_wins() -> None:
    rules = EmailRules.default().extended(relays=["yopmail.com"], disposable=["farm.example"])
    assert email_class("a@yopmail.com", rules) is EmailClass.RELAY
    assert email_class("a@x.farm.example", rules) is EmailClass.DISPOSABLE


def test_the_data_package_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "disposable_email_domains", None)
    monkeypatch.setattr(mail_domains, "_published_disposable", mail_domains._published_disposable.__wrapped__)
    assert email_class("a@yopmail.com") is EmailClass.NORMAL


def test_a_missing_suffix_list_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    monkeypatch.setattr(mail_domains, "_public_suffixes", mail_domains._public_suffixes.__wrapped__)
    with pytest.raises(ConfigurationError, match="publicsuffixlist"):
        domain_key("a@example.com")


@pytest.mark.parametrize("function", [domain_key, email_class])
def test_no_address_no_domain(function: object) -> None:
    with pytest.raises(IdentityError):
        function("nobody")  # type: ignore[operator]
