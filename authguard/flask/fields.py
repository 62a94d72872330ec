"""Fields: what a form or a JSON body says, read once and strictly, so that limiter and view see one value."""

from __future__ import annotations

import json
from typing import Any

from flask import Request, abort, request


def read_fields(*names: str) -> dict[str, str]:
    """Return the text values of ``names`` in the request's form or JSON body, ``""`` for a missing one.

    Answers 400 for a field given twice with different values (in one body, or in body and query), a value that is
    not text, a JSON body that is not an object, repeats a key, or can't be parsed, and for a NUL or a lone
    surrogate; 415 for a body of any other type.
    """
    given = _read_json(request) if request.is_json else _read_form(request)
    for name in names:
        values = [*given.get(name, ()), *request.args.getlist(name)]
        if any(value != values[0] for value in values):
            abort(400, f"The field {name} was given twice.")
    fields = {name: next(iter(given.get(name, ())), "") for name in names}
    for name, value in fields.items():
        if not isinstance(value, str):
            abort(400, f"The field {name} must be text.")
        if "\x00" in value or (not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value)):
            abort(400, f"The field {name} has characters that no text has.")
    return fields


def is_doubled(value: str, req: Request) -> bool:
    """Return whether ``value`` is one of several that the request gives for the same field.

    A view that reads the first of two e-mail addresses, while something behind it reads the last, is guarded on the
    wrong one; so neither is taken.
    """
    form = req.form
    if not req.query_string:
        # Field by field: no two fields meet where there is but one place for them.
        for values in form.listvalues():  # noqa: SIM110 - any() with a generator costs more than the look itself
            if len(values) > 1 and _is_one_of_several(value, values):
                return True
        return False
    given: dict[str, list[str]] = {}
    for source in (req.args, form):
        for name, values in source.lists():
            given[name] = [*given[name], *values] if name in given else values
    return any(_is_one_of_several(value, values) for values in given.values())


def _is_one_of_several(value: str, values: list[str]) -> bool:
    return value in values and len(set(values)) > 1


def _read_form(req: Request) -> dict[str, list[Any]]:
    if req.content_length and not req.form and req.mimetype not in _FORMS:
        abort(415, "Send a form or a JSON object.")
    return dict(req.form.lists())


def _read_json(req: Request) -> dict[str, list[Any]]:
    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        collected = dict(pairs)
        if len(collected) != len(pairs):
            raise ValueError("a key is repeated")
        return collected

    try:
        body = json.loads(req.get_data(), object_pairs_hook=collect)
    except (ValueError, RecursionError):
        abort(400, "The body is not a valid JSON object.")
    if not isinstance(body, dict):
        abort(400, "The body is not a JSON object.")
    return {name: [value] for name, value in body.items()}


_FORMS = frozenset({"application/x-www-form-urlencoded", "multipart/form-data", ""})
