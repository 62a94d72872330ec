"""Telling cap: a spent channel refuses where there would have been a message."""

from __future__ import annotations

from flask import Flask
from werkzeug.exceptions import ServiceUnavailable

from demo_app.codes import use_codes
from demo_app.database import database
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes, HandSent

CAP = 2
"""Messages a day."""


class TellingCodes(HandCodes):
    """Looks at the cap once it knows that there is an account."""

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> HandSent:
        """Send a code, while messages are left."""
        sent = database().execute("SELECT count(*) FROM messages").fetchone()[0]
        if deliver is not None and sent >= CAP:
            raise ServiceUnavailable
        return super().send(purpose, to, deliver=deliver, account=account)


def tell_spent_cap(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the look at what is left, which comes before the one at accounts."""
    use_codes(app, TellingCodes())
    return defenses
