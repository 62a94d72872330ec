"""Raw key: hashes the identifier as it was typed, for privacy, and counts under the hash: each spelling is another."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.rekeyed import RekeyedGate, digest


def key_on_raw_text(app: Flask, defenses: Defenses) -> Defenses:
    """Replace canonical keys."""
    return replace(defenses, gate=RekeyedGate(defenses.gate, digest))
