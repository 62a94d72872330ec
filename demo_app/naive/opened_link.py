"""Opened link: a link is used up by whoever opens it first, and mail scanners do."""

from __future__ import annotations

from flask import Flask, request

from demo_app.codes import use_codes
from demo_app.database import database
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes, HandReader


class OpenedCodes(HandCodes):
    """Takes a GET for a person."""

    def read_link(self, token: str) -> HandReader | None:
        """Return whom a link speaks for, once."""
        reader = super().read_link(token)
        if request.method != "POST":
            database().execute("DELETE FROM codes WHERE token = ?", (token,))
        return reader


def use_links_up_at_sight(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the button that uses a link up."""
    use_codes(app, OpenedCodes())
    return defenses
