"""E-mail rules: the shipped table, and what an application adds to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.errors import ConfigurationError
from authguard.identity import EmailRules, ProviderRule, email_key
from authguard.identity.mail_providers import FREE_MAIL, PROVIDERS, RELAYS

LOCALS = st.text(alphabet="ab.+-_", min_size=1, max_size=8).filter(
    lambda local: local[0] != "." and local[-1] != "." and ".." not in local
)


def test_no_domain_is_in_two_rules() -> None:
    domains = [domain for rule in PROVIDERS for domain in rule.domains]
    assert len(domains) == len(set(domains))
    assert not set(domains) & (FREE_MAIL | RELAYS)
    assert not FREE_MAIL & RELAYS


@pytest.mark.parametrize("rule", PROVIDERS, ids=lambda rule: rule.name)
def test_every_rule_says_where_it_comes_from(rule: ProviderRule) -> None:
    assert len(rule.source) > 20


@pytest.mark.parametrize(("name", "count"), [("Yahoo", 55), ("Fastmail", 117), ("Yandex", 6), ("Proton", 4)])
def test_the_size_of_the_table(name: str, count: int) -> None:
    assert [len(rule.domains) for rule in PROVIDERS if rule.name == name] == [count]


@pytest.mark.parametrize("rule", PROVIDERS, ids=lambda rule: rule.name)
@given(local=LOCALS)
def test_reducing_twice_changes_nothing(rule: ProviderRule, local: str) -> None:
    rules = EmailRules.default()
    once = rules.reduce(local, rule.domains[-1])
    assert once[0]
    assert rules.reduce(*once) == once


@given(
    local=LOCALS,
    cut_at=st.text("+-_", max_size=3),
    drop=st.text("._-", max_size=2),
    swap=st.none() | st.sampled_from([("-", "."), ("_", "."), ("_", "-")]),
)
def test_an_added_rule_is_stable_or_refused(local: str, cut_at: str, drop: str, swap: tuple[str, str] | None) -> None:
    try:
        rule = ProviderRule("own", ("own.example",), "ours", cut_at=cut_at, drop=drop, swap=swap)
    except ConfigurationError:
        return
    rules = EmailRules.default().extended([rule])
    key = email_key(f"{local}@own.example", rules)
    assert email_key(key, rules) == key


def test_an_application_adds_its_own() -> None:
    rules = EmailRules.default().extended(
        [
            ProviderRule(
                "us", ("corp.example", "corp-old.example"), "our mail server", canonical="corp.example", cut_at="+="
            )
        ]
    )
    assert email_key("Ann.Lee=x+y@corp-old.example", rules) == "ann.lee@corp.example"
    assert email_key("a.n.n+x@gmail.com", rules) == "ann@gmail.com"
    assert email_key("ann=x@corp-old.example") == "ann=x@corp-old.example"


def test_a_later_rule_replaces_an_earlier_one() -> None:
    rules = EmailRules.default().extended([ProviderRule("strict", ("gmail.com",), "a test", cut_at="")])
    assert email_key("a.b+c@gmail.com", rules) == "a.b+c@gmail.com"


def test_the_default_separator_can_be_changed() -> None:
    assert email_key("a-b+c@example.com", EmailRules.default().extended(cut_at="-")) == "a@example.com"
    assert email_key("a+b@example.com", EmailRules.default().extended(cut_at="")) == "a+b@example.com"


@pytest.mark.parametrize(
    "settings",
    [
        {"domains": "corp.example"},
        {"domains": ("Corp.example",)},
        {"domains": ("straße.de",)},
        {"domains": ("localhost",)},
        {"domains": ("corp.example",), "canonical": "else.example"},
        {"domains": ("corp.example",), "cut_at": "."},
        {"domains": ("corp.example",), "cut_at": "a"},
        {"domains": ("corp.example",), "drop": "e"},
        {"domains": ("corp.example",), "swap": ("-", "+")},
        {"domains": ("corp.example",), "swap": (".", "-")},
        {"domains": ("corp.example",), "drop": ".", "swap": ("-", ".")},
    ],
)
def test_a_wrong_rule_fails_when_it_is_made(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError):
        ProviderRule("own", source="ours", **settings)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError):
        EmailRules.default().extended(cut_at="x")
