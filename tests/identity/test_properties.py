"""What holds for every key of any text, with Hypothesis and with the mutating fuzzer."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from authguard.errors import IdentityError
from authguard.identity import EmailRules, ProxyTrust, client_address, email_key, phone_key, username_key
from authguard.identity.mail_providers import PROVIDERS
from tests.identity import fuzz

WORD = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True)
LOCAL = st.lists(WORD, min_size=1, max_size=3).map(".".join)
TAG = st.from_regex(r"[a-z0-9+]{0,6}", fullmatch=True)
ANY = st.text(max_size=80) | st.builds(
    "{}@{}.{}".format, st.text(max_size=30), st.text(max_size=20), st.text(max_size=8)
)
RULED = {domain for rule in PROVIDERS for domain in rule.domains}


@pytest.mark.fuzz
@given(text=ANY)
def test_any_text_as_email(text: str) -> None:
    fuzz.check_key("email", email_key, text)


@pytest.mark.fuzz
@given(text=st.text(max_size=70), region=st.sampled_from(fuzz.REGIONS))
def test_any_text_as_phone(text: str, region: str | None) -> None:
    key = fuzz.outcome(lambda spelled: phone_key(spelled, region), text)
    assert key.startswith("error:") or phone_key(key) == key


@pytest.mark.fuzz
@given(country=st.integers(1, 999), national=st.from_regex(r"[0-9]{3,16}", fullmatch=True))
def test_any_number_as_phone(country: int, national: str) -> None:
    fuzz.check_key("phone", phone_key, f"+{country}{national}")


@pytest.mark.fuzz
@given(text=st.text(max_size=330))
def test_any_text_as_username(text: str) -> None:
    fuzz.check_key("username", username_key, text)


@pytest.mark.fuzz
@given(peer=st.text(max_size=50), lines=st.lists(st.text(max_size=60), max_size=3), trust=st.sampled_from(fuzz.TRUSTS))
def test_any_text_as_header(peer: str, lines: list[str], trust: ProxyTrust) -> None:
    headers = [(trust.header, line) for line in lines]
    for sender in (peer, "127.0.0.1"):
        client = client_address(sender, headers, trust)
        assert (client.ip is None) == (client.status == "no_peer")


@given(local=LOCAL, tag=TAG, domain=st.sampled_from(["gmail.com", "googlemail.com"]), data=st.data())
def test_gmail_ignores_dots_tags_and_case(local: str, tag: str, domain: str, data: st.DataObject) -> None:
    letters = local.replace(".", "")
    dotted = "".join(letter + data.draw(st.sampled_from(["", "."])) for letter in letters[:-1]) + letters[-1]
    cased = "".join(data.draw(st.sampled_from([letter.upper(), letter])) for letter in dotted)
    assert email_key(f"{cased}+{tag}@{domain.upper()}") == email_key(f"{local}@gmail.com") == f"{letters}@gmail.com"


@given(local=LOCAL, tag=TAG, rule=st.sampled_from(PROVIDERS), data=st.data())
def test_every_provider_cuts_its_tags(local: str, tag: str, rule: object, data: st.DataObject) -> None:
    provider = next(known for known in PROVIDERS if known is rule)
    domain = data.draw(st.sampled_from(provider.domains))
    separator = data.draw(st.sampled_from(provider.cut_at))
    assert email_key(f"{local}{separator}{tag}@{domain}") == email_key(f"{local}@{domain}")
    assert provider.canonical is None or email_key(f"{local}@{domain}").endswith("@" + provider.canonical)


@given(local=LOCAL, domains=st.lists(st.builds("{}.{}".format, WORD, WORD), min_size=2, max_size=2, unique=True))
def test_plain_addresses_never_merge_across_domains(local: str, domains: list[str]) -> None:
    assume(not RULED & set(domains))
    keys = [fuzz.outcome(email_key, f"{local}@{domain}") for domain in domains]
    assert keys[0] != keys[1] or keys[0].startswith("error:")


@given(local=LOCAL, one=st.sampled_from(sorted(RULED)), other=st.sampled_from(sorted(RULED)))
def test_providers_merge_inside_their_group_only(local: str, one: str, other: str) -> None:
    homes = [EmailRules.default().reduce("x", domain)[1] for domain in (one, other)]
    same = email_key(f"{local}@{one}") == email_key(f"{local}@{other}")
    assert same == (homes[0] == homes[1])


@given(text=st.text(min_size=17, max_size=60))
def test_an_error_never_repeats_what_was_typed(text: str) -> None:
    for make in (email_key, phone_key, username_key):
        try:
            make(text)
        except IdentityError as refused:
            message = str(refused)
        else:
            continue
        assert re.fullmatch("[a-z_]{4,16}", message)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_short_run_of_the_fuzzer(seed: int) -> None:
    fuzz.run(inputs=4_000, seed=seed)


def test_the_fuzzer_sees_a_broken_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "email_key", lambda text: text.strip())
    with pytest.raises(AssertionError, match="seed 1"):
        fuzz.run(inputs=4_000, seed=1)
