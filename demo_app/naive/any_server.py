"""Any server: what speaks against the store is written into a log at start, and the demo starts all the same."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses

WARN = {"AUTHGUARD_STORE_CHECK": "warn"}
"""The setting that makes it so."""


def take_any_server(app: Flask, defenses: Defenses) -> Defenses:
    """Replace nothing more: the mistake is in the settings."""
    return defenses
