"""Addresses: one spelling of an IP address, and the networks it is counted under."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from typing import NamedTuple

from authguard.errors import IdentityError
from authguard.identity.translation import embedded_ipv4, is_ipv4, is_sixtofour, nat64_networks

_OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_PORT = "(?::(?:[0-9]{1,5}|_[A-Za-z0-9._-]{1,64}))?"
_ZONE = "(?:%[A-Za-z0-9._~-]{1,64})?"
_HEX = "([0-9A-Fa-f:.]{2,45})"
_IPV4_NODE = re.compile(rf"{_OCTET}\.{_OCTET}\.{_OCTET}\.{_OCTET}{_PORT}")
_IPV6_NODE = re.compile(rf"{_HEX}{_ZONE}|\[{_HEX}{_ZONE}\]{_PORT}")
_LONGEST_NODE = 180

IPV4_SPACE = 0xFFFF << 32
"""Where IPv4 lives inside the 128-bit space: ``::ffff:0:0/96`` (RFC 4291 section 2.5.5.2)."""

_IPV4_MULTICAST = 0xE
_NOBODY = (0, 0xFFFFFFFF)
"""The unspecified and the broadcast address."""
_VALUES = {str(octet): octet for octet in range(256)}
"""The octets of a dotted address, each in the one way that it is written: no leading zeros, no foreign digits."""


class AddressKeys(NamedTuple):
    """The networks one address is counted under, narrowest first. Never an IPv6 ``/128``: a client owns its /64.

    ``ip`` is ``/32`` or ``/64``, ``subnet`` is ``/24`` or ``/56``, ``site`` is ``/24`` or ``/48``.
    """

    ip: str
    subnet: str
    site: str

    def __repr__(self) -> str:
        """Return a text without the address."""
        return f"{type(self).__name__}()"


_new = tuple.__new__
"""See :data:`authguard.limits.decision.new`."""


def parse_node(text: str) -> int | None:
    """Return the address in ``text`` as a 128-bit integer (IPv4 inside ``::ffff:0:0/96``), or ``None``.

    Accepts what RFC 7239 section 6 calls a node: an address, IPv6 bare or in brackets, an optional
    port (one to five digits, or obfuscated), and an IPv6 zone, which is dropped because it is the
    sender's to choose. Refuses what no client can have as its source: the unspecified, multicast and
    broadcast addresses; and anything ambiguous: leading zeros, fewer than four octets, other digits.
    """
    text = text.strip(" \t")
    if len(text) > _LONGEST_NODE:
        return None
    if ":" not in text:
        ipv4 = _read_dotted(text)
        return IPV4_SPACE | ipv4 if ipv4 is not None and _can_be_an_ipv4_source(ipv4) else None
    if match := _IPV4_NODE.fullmatch(text):
        first, second, third, fourth = match.groups()
        value = IPV4_SPACE | int(first) << 24 | int(second) << 16 | int(third) << 8 | int(fourth)
    elif match := _IPV6_NODE.fullmatch(text):
        try:
            value = int.from_bytes(socket.inet_pton(socket.AF_INET6, match[1] or match[2]), "big")
        except OSError:
            return None
    else:
        return None
    return value if _can_be_a_source(value) else None


def format_address(value: int) -> str:
    """Return the canonical text (RFC 5952) of a 128-bit address; IPv4-mapped ones as plain IPv4."""
    if is_ipv4(value):
        return f"{value >> 24 & 0xFF}.{value >> 16 & 0xFF}.{value >> 8 & 0xFF}.{value & 0xFF}"
    if 0xFFFF < value <= 0xFFFFFFFF:
        # Some C libraries write ::/96 with a dotted tail, a form RFC 4291 section 2.5.5.1 retired.
        return f"::{value >> 16:x}:{value & 0xFFFF:x}"
    return socket.inet_ntop(socket.AF_INET6, value.to_bytes(16, "big"))


def address_keys(ip: str, nat64: Iterable[str] = ()) -> AddressKeys:
    """Return the networks that ``ip`` is counted under.

    ``nat64`` names network-specific NAT64 prefixes (RFC 6052 section 2.2) in CIDR form. An IPv4 address
    embedded by NAT64, 6to4 (RFC 3056) or Teredo (RFC 4380) is counted as that IPv4 address when it is
    a global one; a 6to4 site with any other is counted as its /48, which is all one owner's.

    Raises :class:`IdentityError` (``not_text``, or ``invalid`` for what is no address a client can have), and
    :class:`~authguard.errors.ConfigurationError` for a malformed ``nat64`` prefix.
    """
    if not isinstance(ip, str):
        raise IdentityError("not_text")
    value = parse_node(ip)
    if value is None:
        raise IdentityError("invalid")
    return network_keys(value, nat64)


def network_keys(value: int, nat64: Iterable[str] = ()) -> AddressKeys:
    """Return what :func:`address_keys` does, of a 128-bit address that :func:`parse_node` has read."""
    if value >> 32 != 0xFFFF:  # as is_ipv4() says
        embedded = embedded_ipv4(value, nat64_networks(tuple(nat64)))
        if embedded is None:
            return _ipv6_keys(value)
        value = IPV4_SPACE | embedded
    network = f"{value >> 24 & 0xFF}.{value >> 16 & 0xFF}.{value >> 8 & 0xFF}"
    subnet = network + ".0/24"
    return _new(AddressKeys, (f"{network}.{value & 0xFF}/32", subnet, subnet))


def _ipv6_keys(value: int) -> AddressKeys:
    site = _ipv6_network(value, 48)
    if is_sixtofour(value):
        return AddressKeys(site, site, site)
    return AddressKeys(_ipv6_network(value, 64), _ipv6_network(value, 56), site)


def _ipv6_network(value: int, prefix: int) -> str:
    host_bits = 128 - prefix
    return f"{format_address(value >> host_bits << host_bits)}/{prefix}"


def _read_dotted(text: str) -> int | None:
    """Return the 32-bit address that ``text`` is, if it is what :data:`_IPV4_NODE` takes without a port."""
    try:
        first, second, third, fourth = text.split(".")
        return _VALUES[first] << 24 | _VALUES[second] << 16 | _VALUES[third] << 8 | _VALUES[fourth]
    except (ValueError, KeyError):
        return None


def _can_be_a_source(value: int) -> bool:
    if is_ipv4(value):
        return _can_be_an_ipv4_source(value & 0xFFFFFFFF)
    return value != 0 and value >> 120 != 0xFF


def _can_be_an_ipv4_source(ipv4: int) -> bool:
    return ipv4 >> 28 != _IPV4_MULTICAST and ipv4 not in _NOBODY
