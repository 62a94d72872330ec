"""Reusable: a code is good until it is too old, however often it is entered."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


class ReusableCodes(HandCodes):
    """Leaves it to time."""

    def use_up(self, token: str) -> None:
        """Do nothing."""


def reuse(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the use of a code, which is one."""
    use_codes(app, ReusableCodes())
    return defenses
