"""Endless tries: nobody counts guesses at a code that will be too old in five minutes anyway."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


class EndlessCodes(HandCodes):
    """Relies on the age."""

    def take_try(self, token: str) -> None:
        """Do nothing."""


def never_burn(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the tries at one challenge."""
    use_codes(app, EndlessCodes())
    return defenses
