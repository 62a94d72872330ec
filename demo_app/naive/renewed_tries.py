"""Renewed tries: another message of a challenge brings as many tries as the first."""

from __future__ import annotations

import secrets
import time

from flask import Flask

from demo_app.codes import use_codes
from demo_app.contact import read_contact
from demo_app.database import database
from demo_app.gate import Defenses
from demo_app.naive.codes import LIFETIME, TRIES, HandCodes, HandSent
from demo_app.outbox import send


class RenewingCodes(HandCodes):
    """Writes the new code over the old one, and the tries with it."""

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> HandSent:
        """Send a code, the challenge's next one where there is a challenge."""
        code = f"{secrets.randbelow(1_000_000):06}"
        renewed = database().execute(
            "UPDATE codes SET code = ?, tries = ?, expires = ? WHERE token = ? AND purpose = ? AND recipient = ?",
            (code, TRIES, time.time() + LIFETIME, token, purpose, to),
        )
        if token is None or renewed.rowcount == 0:
            return super().send(purpose, to, deliver=deliver, account=account)
        if deliver is not None:
            send(read_contact(deliver), f"{code} is your Lantern code. Or open /continue/{token} in your browser.")
        return HandSent(token)


def renew_tries(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the tries that a resend leaves as they are."""
    use_codes(app, RenewingCodes())
    return defenses
