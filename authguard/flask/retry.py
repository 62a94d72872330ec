"""Retry: a request that comes back with the answer to a challenge, and the form that brings it back."""

from __future__ import annotations

import json
import re

from flask import Request

from authguard.guard.seal import LONGEST_TOKEN
from authguard.http import ANSWER_FIELD, Form

_HEADER = f"HTTP_{ANSWER_FIELD.upper()}"
_MOST_FIELDS = 40
_MOST_TEXT = 8192
_LONGEST_NAME = 64
_SECRET_NAME = re.compile(r"pass|pwd|secret|pin$|(^|_)code$|otp", re.IGNORECASE)


def read_answer(req: Request) -> str:
    """Return what ``req`` answers to a challenge: a header or a field ``authguard_challenge``; ``""`` for nothing."""
    found = req.environ.get(_HEADER) or _read_field(req)
    return found if len(found) <= LONGEST_TOKEN else ""


def read_form(req: Request, secret: str | None) -> Form | None:
    """Return the form that posts ``req`` again, or ``None`` where a page can't: another method, files, too much of it.

    Secrets are asked for again. They are told by their value, which is ``secret``, and by their fields' names.
    """
    if req.method != "POST" or req.files or not req.form:
        return None
    given = [(name, value) for name, value in req.form.items(multi=True) if name != ANSWER_FIELD]
    if secret and secret in req.args.values():
        return None
    # A name is shown to the person, so it may not be a sentence that another site made up.
    if len(given) > _MOST_FIELDS or any(len(name) > _LONGEST_NAME for name, _ in given):
        return None
    if sum(len(name) + len(value) for name, value in given) > _MOST_TEXT:
        return None
    asked = [name for name, value in given if (secret and value == secret) or _SECRET_NAME.search(name)]
    kept = [(name, value) for name, value in given if name not in asked]
    return Form(tuple(kept), tuple(dict.fromkeys(asked)))


def _read_field(req: Request) -> str:
    form = req.form
    if not form:
        return _read_json(req)
    # A body is a form or JSON, so there is no need to ask which it says that it is: that takes longer than to look.
    return form[ANSWER_FIELD] if ANSWER_FIELD in form else ""  # noqa: SIM401 - a form's get() raises and catches


def _read_json(req: Request) -> str:
    if not req.is_json or ANSWER_FIELD.encode() not in req.get_data():
        return ""
    try:
        body = json.loads(req.get_data())
    except (ValueError, RecursionError):
        return ""
    found = body.get(ANSWER_FIELD, "") if isinstance(body, dict) else ""
    return found if isinstance(found, str) else ""
