"""Blank key: reduces identifiers to Latin letters and digits, and puts whatever has none under one key."""

from __future__ import annotations

import re
from dataclasses import replace

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.rekeyed import RekeyedGate

_DROPPED = re.compile(r"[^a-z0-9@.+]")


def slug(identifier: str) -> str:
    """Return what is left of ``identifier``, or the name that all the others share."""
    return _DROPPED.sub("", identifier.lower()) or "unknown"


def key_on_slug(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the refusal of blank identifiers."""
    return replace(defenses, gate=RekeyedGate(defenses.gate, slug))
