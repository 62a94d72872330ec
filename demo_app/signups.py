"""Sign-ups: accounts that wait for the code that was sent to them."""

from __future__ import annotations

import secrets
import time

from demo_app.accounts import Account, find_account
from demo_app.database import database, transaction
from demo_app.flow import Whom, whom

LIFETIME = 3600
"""Seconds for which a sign-up waits: no code lives longer."""


def whose(contact: str) -> Whom:
    """Return whom the code for a new account at ``contact`` goes to.

    Where there is an account already, that one's owner gets it: word of the sign-up, and a way in. Nobody else learns
    of it.
    """
    account = find_account(contact)
    return whom("signup-taken", account) if account else Whom("signup", None, contact)


def start_signup(account: Account) -> str:
    """Remember the account that somebody asks for, and return the id of this sign-up."""
    signup = secrets.token_urlsafe(16)
    database().execute("DELETE FROM newcomers WHERE expires < ?", (time.time(),))
    database().execute(
        "INSERT INTO newcomers VALUES (?, ?, ?, ?, ?)",
        (signup, account.name, account.contact, account.password_hash, time.time() + LIFETIME),
    )
    return signup


def signup_contact(signup: str) -> str | None:
    """Return where the code of ``signup`` went, or ``None`` when there is no such sign-up."""
    row = database().execute("SELECT contact FROM newcomers WHERE id = ?", (signup,)).fetchone()
    return row["contact"] if row else None


def take_signup(signup: str) -> Account | None:
    """Return the account to make, once; ``None`` when it was taken before."""
    with transaction() as connection:
        row = connection.execute(
            "DELETE FROM newcomers WHERE id = ? RETURNING name, contact, password_hash", (signup,)
        ).fetchone()
    return Account(**row) if row else None
