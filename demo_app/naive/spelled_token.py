"""Spelled token: tokens are decoded leniently, and tries are kept under the text that came."""

from __future__ import annotations

import base64
import binascii

from flask import Flask

from demo_app.codes import use_codes
from demo_app.database import database
from demo_app.gate import Defenses
from demo_app.naive.codes import TRIES, HandCodes


class SpelledCodes(HandCodes):
    """Another spelling of a token is another token, for the same code."""

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right."""
        try:
            plain = base64.urlsafe_b64encode(base64.urlsafe_b64decode(f"{token.rstrip('=')}==")).decode().rstrip("=")
        except binascii.Error:
            return False
        database().execute(
            "INSERT OR IGNORE INTO codes SELECT ?, purpose, recipient, account, code, ?, expires FROM codes "
            "WHERE token = ?",
            (token, TRIES, plain),
        )
        return super().verify(purpose, token, code, to=to, deliver=deliver, account=account)


def count_by_spelling(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the one spelling that a token has."""
    use_codes(app, SpelledCodes())
    return defenses
