"""Proxies: which peers may say who the client is, in which one header, and how far they are believed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from authguard.errors import ConfigurationError
from authguard.identity.address import IPV4_SPACE

MOST_HOPS = 20
"""Entries of a header that are looked at, from the right."""

_HEADER_NAME = re.compile(r"[a-z0-9-]{1,64}")
_LIST_HEADERS = frozenset({"x-forwarded-for", "forwarded"})
_SHORTEST_IPV4 = 8
_SHORTEST_IPV6 = 7
_UNIX_PEERS = frozenset({"", "@", "unix", "unix:", "localhost", "<local>"})
"""What servers give as the peer of a Unix socket (Waitress says ``localhost``); never sent by a TCP peer."""

Network = tuple[int, int]
"""A mask and the masked address, both 128 bits wide."""


class TrustMode(StrEnum):
    """How the client's address is found."""

    __hash__ = str.__hash__  # each request looks up how to search, and an enum's own hash is a call into Python

    NONE = "none"
    """The peer is the client; no header is read."""
    CIDR = "cidr"
    """Walk the header from the right, past trusted addresses."""
    COUNT = "count"
    """Take the n-th entry from the right."""
    SINGLE = "single"
    """Take a header that holds one address."""


@dataclass(frozen=True, slots=True)
class ProxyTrust:
    """What is believed about the client's address, checked when it is made.

    ``mode`` says how it is found. ``header`` is the one header that is read, in lower case. ``trusted``
    lists the addresses and networks whose word counts; empty trusts nobody, except in ``count`` mode,
    where it means that whoever can connect is a proxy. ``n`` is the number of proxies in front of the
    application: required in ``count`` mode; in ``cidr`` mode the most that are walked past (0: no bound
    but the 20 entries). ``trust_unix`` also trusts peers on a Unix socket.

    Raises :class:`ConfigurationError` for anything that would believe everybody or nobody by mistake.
    """

    mode: TrustMode = TrustMode.NONE
    header: str = "x-forwarded-for"
    trusted: tuple[str, ...] = ()
    n: int = 0
    trust_unix: bool = False
    networks: tuple[Network, ...] = field(init=False, repr=False, compare=False)
    variable: str = field(init=False, repr=False, compare=False)
    """What WSGI calls the header."""

    def __post_init__(self) -> None:
        """Check the fields against one another, and turn the networks into masks."""
        object.__setattr__(self, "mode", _mode(self.mode))
        object.__setattr__(self, "header", _header(self.header, self.mode))
        object.__setattr__(self, "trusted", _texts(self.trusted))
        _check_count(self.mode, self.n)
        if self.trust_unix not in (True, False):
            raise ConfigurationError("trust_unix must be true or false")
        if self.mode is TrustMode.NONE and (self.trusted or self.n or self.trust_unix):
            raise ConfigurationError(
                "mode 'none' believes no proxy; choose 'cidr', 'count' or 'single', or drop the other settings"
            )
        object.__setattr__(self, "variable", "HTTP_" + self.header.upper().replace("-", "_"))
        object.__setattr__(self, "networks", tuple(parse_network(text) for text in self.trusted))

    @classmethod
    def none(cls) -> ProxyTrust:
        """Return the default: the peer is the client."""
        return cls()

    @classmethod
    def count(cls, n: int, trusted: Iterable[str] = ()) -> ProxyTrust:
        """Return trust in exactly ``n`` proxies, each of which appends to X-Forwarded-For."""
        return cls(TrustMode.COUNT, trusted=tuple(trusted), n=n)

    @classmethod
    def cidr(cls, trusted: Iterable[str], n: int = 0) -> ProxyTrust:
        """Return trust in the proxies at the given addresses and networks, at most ``n`` of them in a row."""
        return cls(TrustMode.CIDR, trusted=tuple(trusted), n=n)

    @classmethod
    def single(cls, header: str, trusted: Iterable[str]) -> ProxyTrust:
        """Return trust in a header that the proxies at ``trusted`` overwrite with one address."""
        return cls(TrustMode.SINGLE, header=header, trusted=tuple(trusted))

    @classmethod
    def preset(cls, name: str, **changes: Any) -> ProxyTrust:
        """Return the trust for a common topology; see :mod:`authguard.identity.topologies` for their names."""
        from authguard.identity.topologies import preset_settings

        return cls(**{**preset_settings(name), **changes})

    @classmethod
    def parse(cls, setting: str | Mapping[str, Any]) -> ProxyTrust:
        """Return the trust that a configuration value describes.

        Text is a preset (``"nginx"``), ``"count=2"`` or ``"cidr=10.0.0.0/8,192.168.0.1"``. A mapping has the
        fields of this class as keys, or ``preset`` and the fields that differ from it.
        """
        from authguard.identity.topologies import parse_trust

        return parse_trust(setting)

    def trusts(self, value: int) -> bool:
        """Say whether a 128-bit address is a trusted proxy's."""
        # A loop: any() with a generator costs more than the comparisons themselves.
        for mask, network in self.networks:  # noqa: SIM110
            if value & mask == network:
                return True
        return False

    def is_unix_peer(self, remote_addr: str) -> bool:
        """Say whether a peer that is no IP address is a Unix socket that is trusted."""
        return self.trust_unix and (remote_addr in _UNIX_PEERS or remote_addr.startswith("unix:"))


def parse_network(text: str) -> Network:
    """Return the mask and the masked 128-bit address of a network or single address.

    IPv4 networks come out inside ``::ffff:0:0/96``, so that an IPv4-mapped hop matches them. Raises
    :class:`ConfigurationError` for text that is no network, has bits set beyond its prefix, or is so
    short a prefix that it trusts a large part of the internet.
    """
    from ipaddress import IPv4Network, ip_network

    try:
        network = ip_network(text)
    except ValueError as problem:
        raise ConfigurationError(
            f"{text!r} is no network; write an address or a prefix without host bits, as in '10.0.0.0/8'"
        ) from problem
    offset, space = (96, IPV4_SPACE) if isinstance(network, IPv4Network) else (0, 0)
    length = network.prefixlen + offset
    mask = (1 << 128) - (1 << (128 - length))
    value = space | int(network.network_address)
    holds_ipv4 = (value ^ IPV4_SPACE) & mask < 1 << 32
    if length < (96 + _SHORTEST_IPV4 if holds_ipv4 else _SHORTEST_IPV6):
        raise ConfigurationError(
            f"trusting {text!r} lets strangers choose their address; list the proxies' own networks"
        )
    return mask, value


def _mode(mode: str) -> TrustMode:
    try:
        return TrustMode(mode)
    except ValueError:
        raise ConfigurationError(f"proxy mode {mode!r} is unknown; choose one of {', '.join(TrustMode)}") from None


def _header(header: object, mode: TrustMode) -> str:
    name = header.lower() if isinstance(header, str) else ""
    if not _HEADER_NAME.fullmatch(name):
        raise ConfigurationError(
            f"{header!r} is no header name; use letters, digits and hyphens, as in 'x-forwarded-for'"
        )
    if mode is TrustMode.SINGLE and name in _LIST_HEADERS:
        raise ConfigurationError(f"{name!r} is a list of hops; read it in mode 'cidr' or 'count'")
    if mode in (TrustMode.CIDR, TrustMode.COUNT) and name not in _LIST_HEADERS:
        raise ConfigurationError(
            f"mode {mode.value!r} reads 'x-forwarded-for' or 'forwarded'; read {name!r} in mode 'single'"
        )
    return name


def _texts(trusted: object) -> tuple[str, ...]:
    if isinstance(trusted, str) or not isinstance(trusted, Iterable):
        raise ConfigurationError("trusted must be a list of addresses and networks, as in ['10.0.0.0/8']")
    texts = tuple(trusted)
    if not all(isinstance(text, str) for text in texts):
        raise ConfigurationError("trusted must hold addresses and networks as text")
    return texts


def _check_count(mode: TrustMode, n: object) -> None:
    lowest = 1 if mode is TrustMode.COUNT else 0
    if isinstance(n, bool) or not isinstance(n, int) or not lowest <= n <= MOST_HOPS:
        raise ConfigurationError(f"the number of proxies must be a whole number from {lowest} to {MOST_HOPS}")
    if n and mode is TrustMode.SINGLE:
        raise ConfigurationError("mode 'single' reads one address; the number of proxies belongs to 'cidr' or 'count'")
