"""Addresses against the standard library, and the networks they are counted under."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.errors import ConfigurationError, IdentityError
from authguard.identity import address_keys
from authguard.identity.address import _IPV4_NODE, IPV4_SPACE, _read_dotted, format_address, parse_node
from authguard.identity.translation import is_global_ipv4

IPV6 = st.integers(0, 2**128 - 1) | st.integers(0, 2**34) | st.integers(IPV4_SPACE, IPV4_SPACE + 2**32 - 1)


@given(st.integers(0, 2**32 - 1))
def test_ipv4_as_the_standard_library_reads_it(number: int) -> None:
    address = IPv4Address(number)
    expected = None if address.is_multicast or number in (0, 2**32 - 1) else IPV4_SPACE | number
    assert parse_node(str(address)) == expected
    assert parse_node(f"::ffff:{address}") == expected
    assert format_address(IPV4_SPACE | number) == str(address)


@given(IPV6)
def test_ipv6_as_the_standard_library_writes_it(number: int) -> None:
    address = IPv6Address(number)
    text = str(address.ipv4_mapped or address)
    assert format_address(number) == text
    if parse_node(text) is not None:
        assert parse_node(text) == parse_node(address.exploded) == parse_node(f"[{address}%eth0]:443") == number
    else:
        assert ip_address(text).is_multicast or number in (0, IPV4_SPACE, IPV4_SPACE | 0xFFFFFFFF)


@given(st.text(alphabet="0123456789abcdefABCDEF:.[]%/x_ -", max_size=50) | st.text(max_size=60))
def test_nothing_is_read_that_the_standard_library_refuses(text: str) -> None:
    value = parse_node(text)
    if value is not None:
        assert parse_node(format_address(value)) == value


OCTET = st.integers(0, 300).map(str) | st.from_regex(r"[0-9]{1,4}|0x[0-9a-f]{1,2}|", fullmatch=True)


@given(st.lists(OCTET, min_size=1, max_size=5).map(".".join) | st.text(alphabet="0129.:\0 \u0662", max_size=16))
def test_the_short_way_reads_the_four_octets_that_the_long_way_reads(text: str) -> None:
    match = _IPV4_NODE.fullmatch(text)
    octets = bytes(map(int, match.groups())) if match is not None and ":" not in text else None
    expected = None if octets is None else int.from_bytes(octets)
    assert _read_dotted(text) == expected


@given(IPV6)
def test_networks_are_the_ones_around_the_address(number: int) -> None:
    if parse_node(format_address(number)) is None:
        return
    keys = address_keys(format_address(number))
    networks = [keys.ip, keys.subnet, keys.site]
    if "." in keys.ip:
        assert [IPv4Network(text).prefixlen for text in networks] == [32, 24, 24]
    else:
        assert [IPv6Network(text).prefixlen for text in networks] in ([64, 56, 48], [48, 48, 48])
        assert all(IPv6Address(number) in IPv6Network(text) for text in networks)


@given(st.integers(0, 2**32 - 1))
def test_global_as_the_registry_says(number: int) -> None:
    address = IPv4Address(number)
    if address in IPv4Network("192.0.0.0/24") or address in IPv4Network("192.88.99.0/24"):
        return  # single addresses and a retired block, on which library versions differ
    assert is_global_ipv4(number) == (address.is_global and not address.is_multicast)


@pytest.mark.parametrize("length", [32, 40, 48, 56, 64, 96])
def test_nat64_of_every_length(length: int) -> None:
    # The table of RFC 6052 section 2.4, with a global address instead of its documentation address.
    written = {
        32: "2001:db8:808:404::",
        40: "2001:db8:108:804:4::",
        48: "2001:db8:122:808:4:400::",
        56: "2001:db8:122:308:8:404::",
        64: "2001:db8:122:344:8:804:400::",
        96: "2001:db8:122:344::8.8.4.4",
    }[length]
    prefix = str(IPv6Network((int(IPv6Address("2001:db8:122:344::")), length), strict=False))
    if length < 48:
        prefix = str(IPv6Network((int(IPv6Address("2001:db8:100::")), length), strict=False))
    assert address_keys(written, [prefix]).ip == "8.8.4.4/32"
    assert address_keys(written).ip != "8.8.4.4/32"


def test_nat64_of_a_private_address_stays_ipv6() -> None:
    assert address_keys("64:ff9b::10.0.0.1").ip == "64:ff9b::/64"
    assert address_keys("2001:db8:64::10.0.0.1", ["2001:db8:64::/96"]).ip == "2001:db8:64::/64"


@pytest.mark.parametrize("prefix", ["2001:db8::/33", "2001:db8::1/96", "10.0.0.0/8", "x", ""])
def test_a_wrong_nat64_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(ConfigurationError):
        address_keys("2001:db8::1", [prefix])


@pytest.mark.parametrize("text", ["", "x", "1.2.3", "10.0.0.0/8", "::", "1.1.1.1,2.2.2.2", "1.1.1.1 2.2.2.2"])
def test_what_is_no_address_has_no_keys(text: str) -> None:
    with pytest.raises(IdentityError) as caught:
        address_keys(text)
    assert caught.value.code == "invalid"


def test_text_only() -> None:
    with pytest.raises(IdentityError):
        address_keys(None)  # type: ignore[arg-type]


def test_keys_hide_the_address() -> None:
    assert "203" not in repr(address_keys("203.0.113.7"))
