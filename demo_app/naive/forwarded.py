"""Forwarded: believes the left-most X-Forwarded-For entry, which is whatever the client wrote."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask

from demo_app.gate import Defenses

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class FirstHop:
    """WSGI middleware that makes the first forwarded entry the peer."""

    def __init__(self, inner: WSGIApplication) -> None:
        self._inner = inner

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Serve the request as if it came from there."""
        forwarded = environ.pop("HTTP_X_FORWARDED_FOR", "")
        if forwarded:
            environ["REMOTE_ADDR"] = forwarded.split(",")[0].strip()
        return self._inner(environ, start_response)


def trust_first_hop(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the walk along the trusted proxies."""
    app.wsgi_app = FirstHop(app.wsgi_app)  # type: ignore[method-assign]
    return defenses
