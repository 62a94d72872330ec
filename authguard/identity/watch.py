"""Watches: signs in live traffic that the proxy setting does not fit what stands in front of the application."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from threading import Lock

from authguard.identity.address import parse_node
from authguard.identity.client import AddressStatus, ClientAddress
from authguard.identity.proxies import ProxyTrust, parse_network
from authguard.identity.topologies import LOOPBACK, PRIVATE

ENOUGH_REQUESTS = 200
"""Requests from one private address, and from nowhere else, before that is a sign."""


class Misfit(StrEnum):
    """A sign that the proxy setting is wrong; the value names it in metrics."""

    HEADER_FROM_STRANGER = "header_from_untrusted_peer"
    SHARED_PRIVATE_ADDRESS = "shared_private_address"

    @property
    def advice(self) -> str:
        """One sentence that says what to change."""
        return _ADVICE[self]


_ADVICE = {
    Misfit.HEADER_FROM_STRANGER: (
        "The forwarding header arrives from a peer that is not trusted and is ignored; "
        "if that peer is your proxy, add its address to the trusted networks."
    ),
    Misfit.SHARED_PRIVATE_ADDRESS: (
        "Every client so far has the same private address, so all of them share one counter; "
        "it is probably your proxy's: set the proxy preset that matches it."
    ),
}

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
        return self._requests >= 0 or status is AddressStatus.UNTRUSTED_PEER

    def look(self, client: ClientAddress, headers: Iterable[tuple[str, str]]) -> Misfit | None:
        """Return the sign this request gives, for a metric, or ``None``.

        A shared private address is reported once, on the request that makes 200 from that address and
        none from any other; a header from an untrusted peer on every request that brings one.
        """
        if client.status is AddressStatus.UNTRUSTED_PEER and any(
            name.lower() == self._trust.header for name, _ in headers
        ):
            return Misfit.HEADER_FROM_STRANGER
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
