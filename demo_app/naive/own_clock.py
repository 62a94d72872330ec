"""Own clock: each process asks its machine how old a code is, and machines disagree."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


class ShortCodes(HandCodes):
    """Codes by hand that don't live long, so that nobody has to wait for their end."""

    lifetime = 10


def go_by_own_clock(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the store's time, which is the same for all."""
    use_codes(app, ShortCodes())
    return defenses
