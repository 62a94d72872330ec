"""Session code: the code waits in the session cookie, which is signed and can be read."""

from __future__ import annotations

from flask import Flask, session

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


class SessionCodes(HandCodes):
    """Saves the next page a look-up."""

    def draw(self) -> str:
        """Return a new code."""
        code = super().draw()
        session["expected"] = code
        return code


def keep_code_in_session(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the keeping of codes, of which there is none in clear."""
    use_codes(app, SessionCodes())
    return defenses
