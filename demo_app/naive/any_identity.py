"""Any identity: the code is checked, and whose code it is taken from the form."""

from __future__ import annotations

import sqlite3

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


class AnyonesCodes(HandCodes):
    """Looks at the token, the purpose and the code."""

    def belongs(self, row: sqlite3.Row, purpose: str, to: str) -> bool:
        """Return whether the challenge is of this flow."""
        return bool(row["purpose"] == purpose)


def take_any_identity(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the tie between a challenge and the identity it was asked for."""
    use_codes(app, AnyonesCodes())
    return defenses
