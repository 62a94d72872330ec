"""Peer: the client's address as hand-written code finds it, correctly, behind at most one proxy."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network

from flask import current_app, request


def client_address() -> str:
    """Return what the proxy appended where there is one, else the peer."""
    if current_app.config["AUTHGUARD_PROXIES"]:
        return request.access_route[-1]
    return request.remote_addr or ""


def network(address: str) -> str:
    """Return what a customer gets at least: an IPv4 address, or an IPv6 /64; other text as it is."""
    try:
        read = ip_address(address)
    except ValueError:
        return address
    return str(ip_network((read, 64), strict=False)) if isinstance(read, IPv6Address) else str(read)
