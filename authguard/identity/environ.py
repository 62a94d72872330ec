"""Environments: the peer and the forwarding header of a WSGI request, as they were before any middleware."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from authguard.identity.proxies import ProxyTrust

_PROXY_FIX = "werkzeug.proxy_fix.orig"


def original_peer(environ: Mapping[str, Any]) -> str:
    """Return ``REMOTE_ADDR`` as the server set it, looking behind Werkzeug's ``ProxyFix``.

    ``ProxyFix`` splits X-Forwarded-For with quotes: one that the client leaves open makes it take the
    client's whole text for an address, or keep the proxy's own, depending on its version. Two of them in
    a row remember only what the outer one left, so keep to one.
    """
    kept = environ.get(_PROXY_FIX)
    source = kept if kept is not None and isinstance(kept, Mapping) else environ
    peer = source.get("REMOTE_ADDR")
    return peer if isinstance(peer, str) else ""


def forwarding_headers(environ: Mapping[str, Any], trust: ProxyTrust) -> list[tuple[str, str]]:
    """Return the one header that ``trust`` reads, as pairs; empty where it was not sent.

    WSGI has one value for all lines of a header, and spells ``X-Forwarded-For`` and ``X_Forwarded_For``
    the same: whether a client's underscore header is merged in is the server's setting
    (``underscores_in_headers off`` in nginx, ``header_map = "drop"`` in gunicorn: their defaults).
    """
    return [(trust.header, value) for value in forwarding_lines(environ, trust)]


def forwarding_lines(environ: Mapping[str, Any], trust: ProxyTrust) -> list[str]:
    """Return the values of the same header without its name."""
    value = environ.get(trust.variable)
    return [value] if isinstance(value, str) else []
