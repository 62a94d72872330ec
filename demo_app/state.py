"""State: what one application carries besides Flask's own, and who is signed in."""

from __future__ import annotations

from typing import cast

from flask import current_app, session

from demo_app.accounts import Account, find_account
from demo_app.contact import fold
from demo_app.gate import Defenses
from demo_app.second_factor import has_second_factor


def defenses() -> Defenses:
    """Return what guards the current application."""
    return cast(Defenses, current_app.extensions["demo"])


def sign_in(name: str) -> None:
    """Start a fresh session for ``name``, a half one where the account has a second factor.

    Nothing of the session before it is kept.
    """
    session.clear()
    session["first_factor" if has_second_factor(fold(name)) else "name"] = name


def half_signed_in() -> str | None:
    """Return the name of the account of which this session has proven the first factor alone."""
    return session.get("first_factor")


def complete_sign_in() -> None:
    """Make a whole session of a half one."""
    session["name"] = session.pop("first_factor")


def signed_in() -> Account | None:
    """Return the account of this session."""
    name = session.get("name")
    return find_account(name) if name else None
