"""Waiting: a minute between two messages, written by hand: the last one is looked up, then the next is sent."""

from __future__ import annotations

import time

from flask import Flask
from werkzeug.exceptions import TooManyRequests

from demo_app.codes import use_codes
from demo_app.database import database
from demo_app.gate import Defenses
from demo_app.naive.codes import LIFETIME, HandCodes, HandSent

GAP = 60
"""Seconds between two messages."""


class WaitingCodes(HandCodes):
    """Refuses who asks too soon for the same account, and says so.

    Requests at the same moment all find no message yet. Known devices wait for strangers. And what a client is told
    depends on what others asked for: under another name of the account, and until its owner has used the code.
    """

    newest = "SELECT max(expires) FROM codes WHERE coalesce(account, recipient) = ?"

    def values(self, purpose: str, to: str, account: str | None) -> tuple[str, ...]:
        """Return what the query is about."""
        return (account or to,)

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> HandSent:
        """Send a code, unless there was one within the minute."""
        newest = database().execute(self.newest, self.values(purpose, to, account)).fetchone()[0]
        if (newest or 0.0) - LIFETIME + GAP > time.time():
            raise TooManyRequests(retry_after=GAP)
        return HandSent(super().send(purpose, to, deliver=deliver, account=account).token, GAP)


class NameWaitingCodes(WaitingCodes):
    """Makes each spelling of a name wait for itself."""

    newest = "SELECT max(expires) FROM codes WHERE recipient = ?"

    def values(self, purpose: str, to: str, account: str | None) -> tuple[str, ...]:
        """Return what was typed."""
        return (to,)


class FlowWaitingCodes(WaitingCodes):
    """Makes each flow wait for itself."""

    newest = "SELECT max(expires) FROM codes WHERE purpose = ? AND recipient = ?"

    def values(self, purpose: str, to: str, account: str | None) -> tuple[str, ...]:
        """Return the flow and what was typed."""
        return (purpose, to)


def wait_for_account(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the ladders, which are charged before anything is sent, one for each client and one that nobody sees."""
    use_codes(app, WaitingCodes())
    return defenses


def wait_for_name(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the one ladder that all spellings of a number share."""
    use_codes(app, NameWaitingCodes())
    return defenses


def wait_for_flow(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the one ladder that all flows share."""
    use_codes(app, FlowWaitingCodes())
    return defenses
