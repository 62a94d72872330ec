"""State: what one application carries besides Flask's own, and who is signed in."""

from __future__ import annotations

from typing import cast

from flask import current_app, session

from demo_app.accounts import Account, find_account
from demo_app.gate import Defenses


def defenses() -> Defenses:
    """Return what guards the current application."""
    return cast(Defenses, current_app.extensions["demo"])


def sign_in(name: str) -> None:
    """Start a fresh session for ``name``; nothing of the one before it is kept."""
    session.clear()
    session["name"] = name


def signed_in() -> Account | None:
    """Return the account of this session."""
    name = session.get("name")
    return find_account(name) if name else None
