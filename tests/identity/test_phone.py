"""Phone keys and the question whether to send, on inputs that no vector lists."""

from __future__ import annotations

import pytest

from authguard.errors import ConfigurationError, IdentityError
from authguard.identity import (
    PhoneType,
    SendRules,
    SendVerdict,
    check_region,
    may_send,
    phone_key,
    phone_number,
)


@pytest.mark.parametrize(
    "text", ["01712345678", "+8801712345678", "8801712345678", "+880 1712-345678", "(+880) 1712345678"]
)
@pytest.mark.parametrize("region", ["BD", "bd"])
def test_one_number_of_bangladesh(text: str, region: str) -> None:
    assert phone_key(text, region) == "+8801712345678"


@pytest.mark.parametrize(
    ("text", "region", "key"),
    [
        ("+44 (0)20 7946 0958", None, "+442079460958"),
        ("030/123456", "DE", "+4930123456"),
        ("tel:+1-415-555-2671", None, "+14155552671"),
        (" Tel: +14155552671", None, "+14155552671"),
        ("\u2066+14155552671\u2069", None, "+14155552671"),
        ("00 52 1 55 1234 5678", "DE", "+525512345678"),
        ("+5491123456789", None, "+541123456789"),
        ("+000000000000", None, None),
        ("+10000000000", None, "+10000000000"),
        ("+1 000 000 0000", None, "+10000000000"),
        ("+49 00 151 23456789", None, "+4915123456789"),
    ],
)
def test_key(text: str, region: str | None, key: str | None) -> None:
    if key is None:
        with pytest.raises(IdentityError):
            phone_key(text, region)
    else:
        assert phone_key(text, region) == key
        assert phone_key(key) == key


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("\u200e", "empty"),
        ("tel:", "empty"),
        ("9" * 65, "too_long"),
        ("\ufdfa" * 60, "letters"),
        ("+14155552671 ext 5", "letters"),
        ("+14155552671;ext=5", "letters"),
        ("+14155552671\u00aa", "letters"),
        ('["+14155552671"]', "junk"),
        ("[+14155552671]", "junk"),
        ("+14155552671\0", "junk"),
        ("+1415\n5552671", "junk"),
        ("+14155552671,+14155552672", "junk"),
        ("+14155552671/+14155552672", "junk"),
        ("+14155552671;+14155552672", "junk"),
        ("+1+4155552671", "junk"),
        ("4155552671+", "junk"),
        ("\ud8004155552671", "junk"),
        ("()-. ", "junk"),
        ("+14155552671 / 14155552672", "too_long"),
        ("4155552671", "country"),
        ("+999123456789", "country"),
        ("555-2671", "local_only"),
        ("+1415555", "too_short"),
        (None, "not_text"),
        (4155552671, "not_text"),
    ],
)
def test_codes_are_stable(text: str, code: str) -> None:
    region = "US" if code == "local_only" else None
    with pytest.raises(IdentityError) as caught:
        phone_key(text, region)
    assert caught.value.code == code
    assert "415" not in str(caught.value)


def test_what_the_client_typed_never_comes_back() -> None:
    number = phone_number("+1 (000) 000-0000")
    assert (number.e164, number.key) == ("+10000000000", "+10000000000")


def test_a_number_hides_itself() -> None:
    assert "4155552671" not in repr(phone_number("+14155552671"))


def test_regions_are_checked_at_start() -> None:
    assert check_region(" de ") == "DE"
    for wrong in ("XX", "", "001", "Germany"):
        with pytest.raises(ConfigurationError):
            check_region(wrong)
    with pytest.raises(ConfigurationError, match="GB"):
        check_region("UK")


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("+14155552671", SendVerdict.ALLOWED),
        ("+551161234567", SendVerdict.ALLOWED),  # in no known range, in a known region
        ("+18005550199", SendVerdict.ALLOWED),
        ("+19002345678", SendVerdict.TYPE_REFUSED),
        ("+449012345678", SendVerdict.TYPE_REFUSED),
        ("+15002345678", SendVerdict.TYPE_REFUSED),
        ("+979123456789", SendVerdict.REGION_REFUSED),
        ("+881612345678", SendVerdict.REGION_REFUSED),
        ("+10000000000", SendVerdict.REGION_UNKNOWN),
    ],
)
def test_where_messages_may_go(text: str, verdict: SendVerdict) -> None:
    assert may_send(phone_number(text)) is verdict


def test_rules_go_by_region_and_not_by_calling_code() -> None:
    america = SendRules(regions=frozenset({"us"}))
    assert may_send(phone_number("+14155552671"), america) is SendVerdict.ALLOWED
    assert may_send(phone_number("+18092345678"), america) is SendVerdict.REGION_REFUSED
    without_jersey = SendRules(refused_regions=frozenset({"JE"}))
    assert may_send(phone_number("+447797712345"), without_jersey) is SendVerdict.REGION_REFUSED
    assert may_send(phone_number("+442079460958"), without_jersey) is SendVerdict.ALLOWED
    satellite = SendRules(regions=frozenset({"001"}))
    assert may_send(phone_number("+881612345678"), satellite) is SendVerdict.ALLOWED
    assert may_send(phone_number("+979123456789"), satellite) is SendVerdict.TYPE_REFUSED


def test_types_can_be_chosen() -> None:
    assert (
        may_send(phone_number("+18005550199"), SendRules(refused_types=frozenset({PhoneType.TOLL_FREE})))
        == "type_refused"
    )
    assert may_send(phone_number("+19002345678"), SendRules(refused_types=frozenset())) == "allowed"


@pytest.mark.parametrize(
    "settings", [{"regions": ["UK"]}, {"refused_regions": ["ZZ"]}, {"refused_types": ["satellite"]}]
)
def test_wrong_rules_fail_when_they_are_made(settings: dict[str, list[str]]) -> None:
    with pytest.raises(ConfigurationError):
        SendRules(**settings)  # type: ignore[arg-type]
