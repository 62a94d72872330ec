"""Uncapped: whatever is asked for is sent, wherever it goes, and nobody adds up what it costs."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes


def send_without_end(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the ledger: caps, regions, ranges."""
    use_codes(app, HandCodes())
    return defenses
