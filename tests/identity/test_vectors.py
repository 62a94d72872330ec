"""Every row of the three vector files."""

from __future__ import annotations

import pytest

from authguard.errors import IdentityError
from authguard.identity import (
    ProxyTrust,
    address_keys,
    client_address,
    email_key,
    explain_address,
    phone_number,
    phone_type,
)
from tests.identity.vectors import cell, rows

EMAILS = rows("emails.csv")
PHONES = rows("phones.csv")
ADDRESSES = rows("ips.csv")

HELD_WRONG_TO_SEND = {
    # These four columns record what a lenient parser makes of the text as it stands. Here the text is cleaned
    # first, so the number is known, and what is counted can also be sent to.
    "P118": "+14155552671",  # U+FEFF is a format character (Unicode general category Cf), stripped as U+2060 is in P117
    "P137": "+14155552671",  # circled digits are digits under NFKC (UAX #15), as the full-width ones of P108 are
    # Mexico retired the 1 after +52 on 3 August 2019 (IFT, national numbering plan): without it the number is right.
    "P254": "+525512345678",
    "P260": "+525512345678",
}


def ids(table: list[dict[str, str]]) -> list[str]:
    return [row["id"] for row in table]


def test_no_row_is_lost() -> None:
    assert (len(EMAILS), len(PHONES), len(ADDRESSES)) == (197, 235, 187)


@pytest.mark.parametrize("row", EMAILS, ids=ids(EMAILS))
def test_email(row: dict[str, str]) -> None:
    text, expected = cell(row["input"]), cell(row["expected"])
    if expected.startswith("error:"):
        with pytest.raises(IdentityError):
            email_key(text)
    else:
        assert email_key(text) == expected
        assert email_key(expected) == expected


@pytest.mark.parametrize("row", PHONES, ids=ids(PHONES))
def test_phone(row: dict[str, str]) -> None:
    text, region = cell(row["input"]), row["default_region"] or None
    if row["strict_expected"].startswith("error:"):
        with pytest.raises(IdentityError):
            phone_number(text, region)
        return
    number = phone_number(text, region)
    assert number.key == row["strict_expected"]
    assert phone_number(number.key).key == number.key
    assert number.e164 == HELD_WRONG_TO_SEND.get(row["id"], row["expected"])
    if row["type"]:
        assert phone_type(number) == row["type"].lower()
        assert (number.region or "") == row["region"]


@pytest.mark.parametrize("row", ADDRESSES, ids=ids(ADDRESSES))
def test_address(row: dict[str, str]) -> None:
    peer, headers = cell(row["remote_addr"]), [(name, value) for name, value in cell(row["headers"])]
    trust = ProxyTrust.parse(cell(row["config"]))
    client = client_address(peer, headers, trust)
    assert client.status == row["status"]
    assert explain_address(peer, headers, trust).client == client
    if row["expected_ip"].startswith("error:"):
        assert client.ip is None
        return
    assert client.ip == row["expected_ip"]
    keys = address_keys(client.ip, cell(row["nat64"]))
    assert (keys.ip, keys.subnet, keys.site) == (row["key_id"], row["key_56"], row["key_48"])
