"""State: what one application carries besides Flask's own, and who is signed in."""

from __future__ import annotations

import hashlib
import time
from typing import cast

from flask import current_app, session

from demo_app.accounts import Account, account_named, find_account
from demo_app.contact import fold
from demo_app.gate import Defenses
from demo_app.second_factor import has_second_factor

HALF_LIFE = 600
"""Seconds for which what was proven on the way is good for the next step: a first factor, the link of a reset."""


def defenses() -> Defenses:
    """Return what guards the current application."""
    return cast(Defenses, current_app.extensions["demo"])


def sign_in(name: str) -> None:
    """Start a fresh session for ``name``, a half one where the account has a second factor.

    Nothing of the session before it is kept. Whole or half, it ends when the account gets another password.
    """
    session.clear()
    session["stands_on"] = _stamp(account_named(fold(name)))
    if has_second_factor(fold(name)):
        session["first_factor"] = {"name": name, "until": time.time() + HALF_LIFE}
    else:
        session["name"] = name


def half_signed_in() -> str | None:
    """Return the name of the account of which this session has, not long ago, proven the first factor alone."""
    half = session.get("first_factor")
    if not half or time.time() >= half["until"]:
        return None
    account = _still(account_named(fold(half["name"])))
    return account.name if account else None


def complete_sign_in() -> None:
    """Make a whole session of a half one."""
    session["name"] = session.pop("first_factor")["name"]


def signed_in() -> Account | None:
    """Return the account of this session."""
    name = session.get("name")
    return _still(find_account(name)) if name else None


def _still(account: Account | None) -> Account | None:
    """Return ``account`` if it has the password that it had when this session began.

    A session of a name that was nobody's stands on none: it takes a naive check of passwords to begin one.
    """
    stands_on = session.get("stands_on")
    return account if stands_on in ("", _stamp(account)) else None


def _stamp(account: Account | None) -> str:
    """Return what stands for the account's password in a session; whoever reads it there can't guess at its salt."""
    return hashlib.sha256(account.password_hash.encode()).hexdigest()[:32] if account else ""
