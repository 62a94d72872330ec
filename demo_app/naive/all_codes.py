"""All codes: each message has a code of its own, and all of them are good until they are too old."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


def keep_all_codes(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the rule that a newer message stops the code before it."""
    use_codes(app, HandCodes())
    return defenses
