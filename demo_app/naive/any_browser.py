"""Any browser: whoever has a token and its code is taken for whoever asked for them."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


def take_any_browser(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the tie between a challenge and the browser that asked for it."""
    use_codes(app, HandCodes())
    return defenses
