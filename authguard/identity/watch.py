"""Watches: signs in live traffic that the proxy setting does not fit what stands in front of the application."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from threading import Lock

from authguard.identity.address import parse_node
from authguard.identity.client import AddressStatus, ClientAddress
from authguard.identity.proxies import ProxyTrust, TrustMode, parse_network
from authguard.identity.topologies import LOOPBACK, PRIVATE

ENOUGH_REQUESTS = 200
"""Requests from one private address, and from nowhere else, before that is a sign."""


class Misfit(StrEnum):
    """A sign that the proxy setting is wrong; the value names it in metrics."""

    HEADER_FROM_STRANGER = "header_from_untrusted_peer"
    HEADER_FROM_PRIVATE_PEER = "header_from_private_peer"
    NO_ADDRESS = "no_address"
    SHARED_PRIVATE_ADDRESS = "shared_private_address"

    @property
    def advice(self) -> str:
        """One sentence that says what to change."""
        return _ADVICE[self]


_ADVICE = {
    Misfit.HEADER_FROM_STRANGER: (
        "The forwarding header arrives from a peer that is not trusted and is ignored; "
        "if that peer is your proxy, add its address to the trusted networks of AUTHGUARD_PROXIES."
    ),
    Misfit.HEADER_FROM_PRIVATE_PEER: (
        "A peer with a private address sends a forwarding header, and no proxy is configured, so all clients behind it "
        "share one counter; if it is your proxy, name it in AUTHGUARD_PROXIES, such as 'nginx'."
    ),
    Misfit.NO_ADDRESS: (
        "A request came without a client's address and is answered 400; if this server listens on a Unix socket, name "
        "the proxy in front of it in AUTHGUARD_PROXIES, such as 'nginx'."
    ),
    Misfit.SHARED_PRIVATE_ADDRESS: (
        "Every client so far has the same private address, so all of them share one counter; "
        "it is probably your proxy's: set AUTHGUARD_PROXIES to the preset that matches it."
    ),
}

_ALWAYS = (AddressStatus.UNTRUSTED_PEER, AddressStatus.NO_PEER)
_PRIVATE = (*LOOPBACK, *PRIVATE, "100.64.0.0/10", "169.254.0.0/16")


class TrustWatch:
    """Notices requests that do not fit ``trust``. Thread-safe; keeps one address in memory and writes it nowhere."""

    __slots__ = ("_lock", "_only", "_requests", "_told", "_trust")

    def __init__(self, trust: ProxyTrust) -> None:
        self._trust = trust
        self._lock = Lock()
        self._only: str | None = None
        self._requests = 0
        self._told: set[Misfit] = set()

    def cares(self, status: AddressStatus) -> bool:
        """Say whether a client found that way may still be a sign; if not, :meth:`look` has nothing to look at."""
        return self._requests >= 0 or status in _ALWAYS

    def look(self, client: ClientAddress, headers: Iterable[tuple[str, str]]) -> Misfit | None:
        """Return the sign this request gives, for a metric, or ``None``.

        A shared private address is reported once, on the request that makes 200 from that address and
        none from any other; the lack of an address on every request that has none, and a header from an untrusted
        peer, or from a private one where no proxy is configured, on every request that brings one.
        """
        if client.status is AddressStatus.NO_PEER:
            return Misfit.NO_ADDRESS
        suspect = client.status is AddressStatus.UNTRUSTED_PEER or self._trust.mode is TrustMode.NONE
        if suspect and any(name.lower() == self._trust.header for name, _ in headers):
            if client.status is AddressStatus.UNTRUSTED_PEER:
                return Misfit.HEADER_FROM_STRANGER
            if client.ip is not None and _is_private(client.ip):
                return Misfit.HEADER_FROM_PRIVATE_PEER
        return Misfit.SHARED_PRIVATE_ADDRESS if self._is_shared(client.ip) else None

    def is_news(self, misfit: Misfit) -> bool:
        """Say whether this sign was not asked about before: log its ``advice`` then, and only then."""
        with self._lock:
            if misfit in self._told:
                return False
            self._told.add(misfit)
            return True

    def _is_shared(self, ip: str | None) -> bool:
        if self._requests < 0 or ip is None:
            return False
        with self._lock:
            if self._requests == 0:
                self._only = ip
            if self._requests >= 0 and (ip != self._only or (self._requests == 0 and not _is_private(ip))):
                self._requests = -1  # settled: clients differ, or the first one is a public address
                self._only = None
            if self._requests < 0:
                return False
            self._requests += 1
            if self._requests < ENOUGH_REQUESTS:
                return False
            self._requests = -1
            return True


def _is_private(ip: str) -> bool:
    value = parse_node(ip)
    return value is not None and any(value & mask == network for mask, network in map(parse_network, _PRIVATE))
