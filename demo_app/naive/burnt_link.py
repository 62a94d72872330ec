"""Burnt link: a challenge whose tries are gone takes its link with it."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.database import database
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes, HandReader


class BurntCodes(HandCodes):
    """Lets wrong codes count against whoever has the message."""

    def read_link(self, token: str) -> HandReader | None:
        """Return whom a link speaks for, while there are tries."""
        left = database().execute("SELECT 1 FROM codes WHERE token = ? AND tries > 0", (token,)).fetchone()
        return super().read_link(token) if left else None


def burn_links(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the link that no guess can spoil."""
    use_codes(app, BurntCodes())
    return defenses
