"""Translation: the IPv4 address that a transition mechanism carries inside an IPv6 address."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from authguard.errors import ConfigurationError

_NAT64_WELL_KNOWN = 0x0064FF9B << 64
_TEREDO = 0x20010000
_SIXTOFOUR = 0x2002
_NAT64_LENGTHS = (32, 40, 48, 56, 64, 96)

_NOT_GLOBAL = (
    (0x00000000, 8),  # 0.0.0.0/8, this network
    (0x0A000000, 8),  # 10.0.0.0/8, private use
    (0x64400000, 10),  # 100.64.0.0/10, shared address space
    (0x7F000000, 8),  # 127.0.0.0/8, loopback
    (0xA9FE0000, 16),  # 169.254.0.0/16, link local
    (0xAC100000, 12),  # 172.16.0.0/12, private use
    (0xC0000000, 24),  # 192.0.0.0/24, protocol assignments
    (0xC0000200, 24),  # 192.0.2.0/24, documentation
    (0xC0586300, 24),  # 192.88.99.0/24, retired 6to4 relays
    (0xC0A80000, 16),  # 192.168.0.0/16, private use
    (0xC6120000, 15),  # 198.18.0.0/15, benchmarking
    (0xC6336400, 24),  # 198.51.100.0/24, documentation
    (0xCB007100, 24),  # 203.0.113.0/24, documentation
    (0xE0000000, 3),  # 224.0.0.0/4, multicast, and 240.0.0.0/4, reserved
)
"""Networks that the IANA IPv4 Special-Purpose Address Registry (RFC 6890) does not call globally reachable."""

Nat64Network = tuple[int, int]
"""A NAT64 prefix: its bits, right-aligned, and its length."""


def is_ipv4(value: int) -> bool:
    """Say whether a 128-bit address is IPv4-mapped (RFC 4291 section 2.5.5.2)."""
    return value >> 32 == 0xFFFF


def is_sixtofour(value: int) -> bool:
    """Say whether a 128-bit address is in 2002::/16 (RFC 3056 section 2)."""
    return value >> 112 == _SIXTOFOUR


def is_global_ipv4(ipv4: int) -> bool:
    """Say whether a 32-bit IPv4 address is globally reachable."""
    return not any(ipv4 >> (32 - length) == network >> (32 - length) for network, length in _NOT_GLOBAL)


def embedded_ipv4(value: int, nat64: Iterable[Nat64Network] = ()) -> int | None:
    """Return the global IPv4 address that a 128-bit IPv6 address embeds, or ``None``.

    Looks at 64:ff9b::/96 and the given prefixes (RFC 6052 section 2.2), at 6to4 (RFC 3056 section 2) and at
    Teredo, whose client address is stored inverted (RFC 4380 section 4). An address that is not global
    says nothing about who sends: any number of networks use it, so it is not unwrapped.
    """
    ipv4 = None
    if is_sixtofour(value):
        ipv4 = value >> 80 & 0xFFFFFFFF
    elif value >> 96 == _TEREDO:
        ipv4 = ~value & 0xFFFFFFFF
    elif value >> 32 == _NAT64_WELL_KNOWN:
        ipv4 = value & 0xFFFFFFFF
    else:
        for prefix, length in nat64:
            if value >> (128 - length) == prefix:
                ipv4 = _nat64_ipv4(value, length)
                break
    return ipv4 if ipv4 is not None and is_global_ipv4(ipv4) else None


@lru_cache(maxsize=32)
def nat64_networks(prefixes: tuple[str, ...]) -> tuple[Nat64Network, ...]:
    """Return NAT64 prefixes given in CIDR form, longest first.

    Raises :class:`ConfigurationError` for one that is not IPv6 or not of a length RFC 6052 section 2.2 defines.
    """
    if not prefixes:
        return ()
    from ipaddress import IPv6Network

    networks = []
    for prefix in prefixes:
        try:
            network = IPv6Network(prefix)
        except ValueError as problem:
            raise ConfigurationError(
                f"nat64 prefix {prefix!r} is no IPv6 network; write it as in '2001:db8:64::/96'"
            ) from problem
        if network.prefixlen not in _NAT64_LENGTHS:
            raise ConfigurationError(f"nat64 prefix {prefix!r} must be 32, 40, 48, 56, 64 or 96 bits long (RFC 6052)")
        networks.append((int(network.network_address) >> (128 - network.prefixlen), network.prefixlen))
    return tuple(sorted(networks, key=lambda network: -network[1]))


def _nat64_ipv4(value: int, length: int) -> int:
    if length == 96:
        return value & 0xFFFFFFFF
    octets = value.to_bytes(16, "big")
    without_reserved = octets[:8] + octets[9:]  # bits 64 to 71 are zero and carry nothing
    start = length // 8
    return int.from_bytes(without_reserved[start : start + 4], "big")
