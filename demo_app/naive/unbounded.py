"""Unbounded: bodies and passwords may be as long as they like, and are read and hashed whole."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.nothing import PlainPasswords

LENGTHS: dict[str, object] = {"MAX_CONTENT_LENGTH": None}


def hash_any_length(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the bound on what is hashed."""
    return replace(defenses, passwords=PlainPasswords())
