"""The tables of ``[spend]``: read on top of what is shipped, and every wrong line told in one sentence."""

from __future__ import annotations

import pytest

from authguard.durations import parse_duration
from authguard.errors import ConfigurationError
from authguard.identity import SendRules
from authguard.identity.destination import PhoneType
from authguard.policy.settings import merge_settings
from authguard.policy.toml import parse_text
from authguard.spend import CHANNELS, Breaker, Channel, Kind, budget, read_channels

EVERYTHING = """
[identity]
default_region = "BD"

[spend.sms]
unit = "EUR cents"
price = 7
known_share = 30
stranger_share = 10
known_after = "3d"
known_for = "60d"
country = "1000/1d"
destination = "3/1d"
range = "10/1d"
range_digits = 4
regions = ["BD", "DE"]
refused_regions = "RU"
refused_types = ["premium_rate", "voip"]
hold = "1m"
keep = "2h"

[spend.sms.caps]
day = "500000/1d"
hour = "50000/1h"
month = "5000000/30d"

[spend.sms.prices]
DE = 11

[spend.sms.countries]
bd = "300000/1d"

[spend.sms.breaker]
floor = 50
meanwhile = 40
percent = 35
window = "30m"
life = "10m"
rest = "3h"

[spend.geocoding.caps]
day = "10000/1d"

[spend.voice]
kind = "phone"
destination = "off"
range = "off"
breaker.off = true
default_region = "GB"
"""


def channels(text: str) -> dict[str, Channel]:
    """Return what ``text`` makes."""
    settings = merge_settings(parse_text(text, "f.toml"), "f.toml")
    return read_channels(settings.spend, "f.toml", settings.identity.default_region)


def test_nothing_said_is_what_is_shipped() -> None:
    assert channels("") == dict(CHANNELS)
    for channel in CHANNELS.values():
        assert channel.caps == {"day": budget("5000/1d"), "hour": budget("500/1h")}


def test_a_breaker_waits_for_as_long_as_codes_live_unless_it_is_told() -> None:
    document = {"voice": {"kind": "phone"}, "mail": {"breaker": {"floor": 5}}, "texts": {"breaker": {"life": "1m"}}}
    channels = read_channels(document, code_life=parse_duration("30m"))
    lives = {name: channel.breaker.life for name, channel in channels.items() if channel.breaker is not None}
    half, minute = parse_duration("30m"), parse_duration("1m")
    assert lives == {"sms": half, "mail": half, "voice": half, "texts": minute}


def test_a_cap_said_takes_the_place_of_one_shipped_and_leaves_the_others() -> None:
    caps = channels('[spend.sms.caps]\nday = "900/1d"\nweek = "3000/7d"')["sms"].caps
    assert caps == {"day": budget("900/1d"), "hour": budget("500/1h"), "week": budget("3000/7d")}
    assert channels('[spend.sms.caps]\nhour = "off"')["sms"].caps == {"day": budget("5000/1d")}


def test_every_key_is_read() -> None:
    read = channels(EVERYTHING)
    assert read["sms"] == Channel(
        "sms",
        Kind.PHONE,
        caps={"day": budget("500000/1d"), "hour": budget("50000/1h"), "month": budget("5000000/30d")},
        unit="EUR cents",
        price=7,
        prices={"DE": 11},
        known_share=30,
        stranger_share=10,
        known_after=parse_duration("3d"),
        known_for=parse_duration("60d"),
        countries={"BD": budget("300000/1d")},
        country=budget("1000/1d"),
        destination=budget("3/1d"),
        range_limit=budget("10/1d"),
        range_digits=4,
        breaker=Breaker(50, 35, parse_duration("30m"), parse_duration("10m"), parse_duration("3h"), 40),
        rules=SendRules(
            frozenset({"BD", "DE"}), frozenset({"RU"}), frozenset({PhoneType.PREMIUM_RATE, PhoneType.VOIP})
        ),
        default_region="BD",
        hold=parse_duration("1m"),
        keep=parse_duration("2h"),
    )
    assert read["geocoding"] == Channel(
        "geocoding", caps={"day": budget("10000/1d"), "hour": budget("500/1h")}, default_region="BD"
    )
    assert read["voice"] == Channel(
        "voice", Kind.PHONE, destination=None, range_limit=None, breaker=None, default_region="GB"
    )
    assert read["mail"] == CHANNELS["mail"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("spend = 1", "spend at the top level must be a table"),
        ("[spend]\nsms = 5", "sms in [spend] must be a table"),
        ("[spend.sms]\ncap = 5", "cap in [spend.sms] is not known; use kind, caps, "),
        ("[spend.sms.caps]\nday = 5000", "day in [spend.sms.caps] must be text, such as '500/1h'"),
        ("[spend.sms.caps]\nday = '5000'", "day in [spend.sms.caps] is wrong: '5000' is not a limit"),
        ("[spend.sms.caps]\nrange = '5000/1d'", "[spend.sms] can't work: a cap's name is lower-case letters"),
        ("[spend.sms.caps]\nday = 'off'\nhour = 'off'", "[spend.sms] can't work: a channel needs at least one cap"),
        ("[spend.sms]\nkind = 'fax'", 'kind in [spend.sms] is "fax"; use one of phone, mail, plain'),
        ("[spend.sms]\nprice = 0", "[spend.sms] can't work: a price is a whole number of at least 1"),
        ("[spend.sms]\nprice = 1.5", "price in [spend.sms] must be a whole number, such as 1"),
        ("[spend.sms]\nhold = '2'", "hold in [spend.sms] is wrong: '2' is not a duration"),
        ("[spend.sms]\nknown_share = 90", "[spend.sms] can't work: the two shares are percents"),
        ("[spend.sms]\ncountry = 'all'", "country in [spend.sms] is wrong: 'all' is not a limit"),
        ("[spend.sms]\nregions = ['UK']", "[spend.sms] can't work: 'UK' is no phone region; write GB"),
        ("[spend.sms]\nrefused_types = 'fax'", 'refused_types in [spend.sms] is "fax"; use one of'),
        ("[spend.sms]\ndefault_region = 'XX'", "default_region in [spend.sms] is wrong: 'XX' is no phone region"),
        ("[spend.sms.countries]\nUK = '1/1d'", "UK in [spend.sms.countries] is wrong: 'UK' is no phone region"),
        ("[spend.sms.prices]\nXX = 1", "XX in [spend.sms.prices] is wrong: 'XX' is no phone region"),
        ("[spend.sms.prices]\nGB = '1'", "GB in [spend.sms.prices] must be a whole number, such as 7"),
        ("[spend.sms.breaker]\nfloor = 0", "[spend.sms.breaker] can't work: a breaker needs a floor"),
        ("[spend.sms.breaker]\nfloors = 1", "floors in [spend.sms.breaker] is not known; use off, floor"),
        ("[spend.sms.breaker]\noff = true\nfloor = 2", "floor in [spend.sms.breaker] is not known; use off alone"),
    ],
)
def test_a_wrong_line_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        channels(text)
    assert str(caught.value).startswith(f"f.toml: {complaint}")
    assert "\n" not in str(caught.value)
