"""Peer: the client's address as hand-written code finds it, correctly, behind at most one proxy."""

from __future__ import annotations

from flask import current_app, request


def client_address() -> str:
    """Return what the proxy appended where there is one, else the peer."""
    if current_app.config["AUTHGUARD_PROXIES"]:
        return request.access_route[-1]
    return request.remote_addr or ""
