"""Monitors: clients whose logins are not counted, such as a probe that looks every minute whether the demo works."""

from __future__ import annotations

from flask import Flask, request

from authguard.identity import ClientAddress, ProxyTrust, client_address, forwarding_headers, original_peer


def spared(app: Flask) -> frozenset[str]:
    """Return the addresses of the monitors of ``app``."""
    return frozenset(app.config["DEMO_MONITORS"])


def find_client(trust: ProxyTrust) -> ClientAddress:
    """Return who sent the request at hand, and how far that is certain."""
    return client_address(original_peer(request.environ), forwarding_headers(request.environ, trust), trust)


def trust_of(app: Flask) -> ProxyTrust:
    """Return the proxies in front of ``app``."""
    return ProxyTrust.parse(app.config["AUTHGUARD_PROXIES"] or "none")


class Monitors:
    """The monitors of one application."""

    def __init__(self, app: Flask) -> None:
        self._trust = trust_of(app)
        self._addresses = spared(app)

    def exempt(self) -> bool:
        """Return whether the request at hand is a monitor's.

        A proxy's address that stands in for a client's is nobody's, though a monitor may live on the proxy's machine.
        """
        client = find_client(self._trust)
        return client.may_be_exempted and client.ip in self._addresses
