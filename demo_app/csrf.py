"""CSRF: forms carry a token of the session; JSON needs none, because no foreign page can send that content type."""

from __future__ import annotations

import hmac
import secrets

from flask import Flask, request, session
from werkzeug.exceptions import BadRequest

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def csrf_token() -> str:
    """Return this session's token, made at first use."""
    if "csrf" not in session:
        session["csrf"] = secrets.token_urlsafe(24)
    return str(session["csrf"])


def check_forms(app: Flask) -> None:
    """Refuse forms without the token, and give it to the templates."""
    app.jinja_env.globals["csrf_token"] = csrf_token

    @app.before_request
    def check() -> None:
        if request.method in _SAFE or request.is_json:
            return
        given, expected = request.form.get("csrf", ""), session.get("csrf", "")
        if not expected or not hmac.compare_digest(given.encode(), expected.encode()):
            raise BadRequest("This page was open for too long, or cookies are off. Load it again.")
