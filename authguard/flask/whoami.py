"""Whoami: the answer to "which address do I see, and why", for the request at hand."""

from __future__ import annotations

from flask import Response, current_app, request

from authguard.flask.state import state_of
from authguard.identity import explain_address, original_peer


def whoami() -> Response:
    """Answer, as plain text, how this very request's client address was found, hop by hop.

    It shows the client nothing but what the client sent and the proxies in between; those are still the operator's
    business, so the endpoint exists only where ``AUTHGUARD_DEBUG_ENDPOINT`` names a path for it.
    """
    trust = state_of(current_app).config.trust
    explanation = explain_address(original_peer(request.environ), list(request.headers), trust)
    answer = Response("\n".join(explanation.lines()) + "\n", mimetype="text/plain")
    answer.headers["Cache-Control"] = "no-store"
    return answer
