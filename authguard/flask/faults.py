"""Faults: exceptions of the library that a view need not catch, and their answers."""

from __future__ import annotations

from flask import Flask, Response
from werkzeug.exceptions import HTTPException, Unauthorized

from authguard.delivery import Withheld
from authguard.delivery.dispatch import RETRY_AFTER as SPENT
from authguard.errors import AuthGuardError, BlindAttempt, Overloaded, PasswordError, StoreError
from authguard.flask.denial import Denied
from authguard.guard import Answerable
from authguard.guard.ruling import Refusal


def answer_faults(app: Flask) -> None:
    """Have ``app`` answer 400 to what is no password, 503 to our faults, and 401 to a blind attempt that succeeded."""
    app.register_error_handler(PasswordError, _answer_bad_password)
    for fault in (Overloaded, Withheld, StoreError):
        app.register_error_handler(fault, _answer_overload)
    app.register_error_handler(BlindAttempt, lambda _: Unauthorized())


def _answer_bad_password(error: AuthGuardError) -> Response | HTTPException:
    code = error.code if isinstance(error, PasswordError) else "password"
    return Denied(Answerable(Refusal.IDENTITY, 0, True, code)).get_response()


def _answer_overload(error: AuthGuardError) -> Response | HTTPException:
    seconds = error.retry_after if isinstance(error, Overloaded) else SPENT if isinstance(error, Withheld) else 1
    return Denied(Answerable(Refusal.BUSY, seconds * 1_000_000, True, "busy")).get_response()
