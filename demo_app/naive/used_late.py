"""Used late: a right code is looked up first and used up once the answer is ready."""

from __future__ import annotations

from flask import Flask, Response, after_this_request

from demo_app.codes import use_codes
from demo_app.database import database
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


class LateCodes(HandCodes):
    """Whoever comes in between finds the code as good as new."""

    def use_up(self, token: str) -> None:
        """Do so after the view."""

        @after_this_request
        def late(response: Response) -> Response:
            database().execute("DELETE FROM codes WHERE token = ?", (token,))
            return response


def use_up_late(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the one step that compares a code and uses it up."""
    use_codes(app, LateCodes())
    return defenses
