"""Session wait: when somebody may ask again is kept in their own session."""

from __future__ import annotations

import time

from flask import Flask, session
from werkzeug.exceptions import TooManyRequests

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes, HandSent
from demo_app.naive.waiting import GAP


class SessionWaitingCodes(HandCodes):
    """Makes those wait who keep their cookies."""

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> HandSent:
        """Send a code, unless this browser has just had one."""
        if session.get("asked", 0.0) + GAP > time.time():
            raise TooManyRequests(retry_after=GAP)
        session["asked"] = time.time()
        return HandSent(super().send(purpose, to, deliver=deliver, account=account).token, GAP)


def wait_in_session(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the ladder that a mailbox has, whoever asks."""
    use_codes(app, SessionWaitingCodes())
    return defenses
