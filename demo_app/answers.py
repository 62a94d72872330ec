"""Answers: the same thing said as a page or as JSON, whichever the client reads."""

from __future__ import annotations

import math
from typing import Any

from flask import Flask, Response, jsonify, render_template, request, url_for
from werkzeug.exceptions import HTTPException

from authguard.clock import SECOND
from authguard.flask import Denied
from authguard.http import ANSWER_FIELD


def wants_json() -> bool:
    """Return whether the client sent JSON or prefers to get it."""
    best = request.accept_mimetypes.best_match(("text/html", "application/json"))
    return request.is_json or best == "application/json"


def say(template: str, document: dict[str, Any], status: int = 200) -> Response:
    """Answer with ``document``: as JSON, or as what ``template`` makes of it."""
    body = jsonify(document) if wants_json() else Response(render_template(template, **document))
    body.status_code = status
    return body


def move_on(endpoint: str, document: dict[str, Any]) -> Response:
    """Answer a script with ``document``, and send a browser to ``endpoint``."""
    if wants_json():
        return jsonify(document)
    return Response(status=303, headers={"Location": url_for(endpoint)})


def describe_wait(seconds: int) -> str:
    """Return ``seconds`` as a person says them, never shorter than they are."""
    if seconds < 90:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    if seconds < 5400:
        return f"{math.ceil(seconds / 60)} minutes"
    return f"{math.ceil(seconds / 3600)} hours"


def answer_errors(app: Flask) -> None:
    """Give every refusal a page in the demo's own style, keeping its status and headers."""

    @app.errorhandler(HTTPException)
    def refuse(error: HTTPException) -> Response:
        response = app.make_response(error.get_response(request.environ))
        if response.status_code < 400 or (wants_json() and (response.mimetype or "").endswith("json")):
            return response
        wait = response.headers.get("Retry-After", type=int)
        document = {
            "error": response.status_code,
            "message": error.description or "There were too many tries.",
            "retry_after": wait,
        }
        if wants_json():
            response.set_data(jsonify(document).data)
            response.mimetype = "application/json"
        else:
            page = {"wait": describe_wait(wait) if wait else None, "challenge": _describe_challenge(error)}
            response.set_data(render_template("refused.html", **page, **document))
            response.content_type = "text/html; charset=utf-8"
        return response


def _describe_challenge(error: HTTPException) -> dict[str, Any] | None:
    """Return what a page needs to offer the challenge that would let the request through, where there is one."""
    if not isinstance(error, Denied) or error.form is None or error.refused.offer is None:
        return None
    offer = error.refused.offer
    kept = (*error.form.kept, (ANSWER_FIELD, offer.token))
    return {"kept": kept, "asked": error.form.asked, "wait": describe_wait(math.ceil(offer.wait / SECOND))}
