"""Parsed code: two codes are the same where they are the same number."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


class ParsingCodes(HandCodes):
    """Reads digits as Python does: of all scripts, with signs and underscores."""

    def same(self, expected: str, code: str) -> bool:
        """Return whether both are one number."""
        try:
            return int(expected) == int(code)
        except ValueError:
            return False


def parse_codes(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the one alphabet and the fixed width of codes."""
    use_codes(app, ParsingCodes())
    return defenses
