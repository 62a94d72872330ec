"""State: what one application carries besides Flask's own, and who is signed in."""

from __future__ import annotations

import time
from typing import cast

from flask import current_app, session

from demo_app.accounts import Account, find_account
from demo_app.contact import fold
from demo_app.gate import Defenses
from demo_app.second_factor import has_second_factor

HALF_LIFE = 600
"""Seconds for which the first factor alone is good for the next one."""


def defenses() -> Defenses:
    """Return what guards the current application."""
    return cast(Defenses, current_app.extensions["demo"])


def sign_in(name: str) -> None:
    """Start a fresh session for ``name``, a half one where the account has a second factor.

    Nothing of the session before it is kept.
    """
    session.clear()
    if has_second_factor(fold(name)):
        session["first_factor"] = {"name": name, "until": time.time() + HALF_LIFE}
    else:
        session["name"] = name


def half_signed_in() -> str | None:
    """Return the name of the account of which this session has, not long ago, proven the first factor alone."""
    half = session.get("first_factor")
    return half["name"] if half and time.time() < half["until"] else None


def complete_sign_in() -> None:
    """Make a whole session of a half one."""
    session["name"] = session.pop("first_factor")["name"]


def signed_in() -> Account | None:
    """Return the account of this session."""
    name = session.get("name")
    return find_account(name) if name else None
