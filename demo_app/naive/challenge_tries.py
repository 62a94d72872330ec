"""Challenge tries: guesses are counted for each challenge and for nobody."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


def count_by_challenge(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the budget of guesses that an identity has through all challenges."""
    use_codes(app, HandCodes())
    return defenses
