"""Zeroless: codes that begin with a zero look odd, so there are none."""

from __future__ import annotations

import random

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


class ZerolessCodes(HandCodes):
    """Leaves out one code in ten."""

    def draw(self) -> str:
        """Return a new code."""
        return str(random.randint(100_000, 999_999))  # noqa: S311 - the mistake


def draw_without_zeros(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the draw in which each code is as likely as any other."""
    use_codes(app, ZerolessCodes())
    return defenses
