"""Denial: a refusal as the HTTP exception that Flask turns into the answer."""

from __future__ import annotations

from typing import Any

from flask import Response, request
from werkzeug.exceptions import HTTPException

from authguard.flask.retry import read_form
from authguard.guard import Answerable
from authguard.http import answer, describe

_TYPES = ("application/problem+json", "application/json", "text/html")


class Denied(HTTPException):
    """The request may not go on. ``code`` is the status; ``retry_after`` is in seconds, 0 where there is none.

    An application may catch it with ``@app.errorhandler(Denied)`` to show a page of its own; it should keep the headers
    of ``get_response()``. Handlers for a status (``errorhandler(429)``) do not see it, those for ``HTTPException`` do.
    ``refused.offer`` is the challenge that would have let the request through. ``form`` is what a page posts again with
    its token: ``kept`` pairs of name and value, and ``asked`` names; ``None`` where no page was asked for, or none can.
    """

    def __init__(self, refused: Answerable, secret: str | None = None) -> None:
        """Take the refusal, and the ``secret`` that was tried: a page with a form does not give it back."""
        prefers_html = request.accept_mimetypes.best_match(_TYPES) == "text/html"
        self.form = read_form(request, secret) if prefers_html and refused.offer is not None else None
        self.refused = refused
        self._answer = answer(refused, prefers_html, form=self.form)
        self.code = self._answer.status
        self.retry_after = self._answer.retry_after
        super().__init__(describe(refused))

    def get_response(self, environ: Any = None, scope: Any = None) -> Response:
        """Return the complete answer."""
        return Response(self._answer.body, self._answer.status, list(self._answer.headers))
