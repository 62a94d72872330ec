"""Sign-ups: accounts that wait for the code that was sent to them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

from flask import current_app

from demo_app.accounts import Account, find_account
from demo_app.contact import Contact
from demo_app.database import database, transaction
from demo_app.outbox import send

TRIES = 5
LIFETIME = 300
"""Seconds for which a code works."""


def start_signup(name: str, contact: Contact, password_hash: str) -> str:
    """Remember a sign-up, send its code and return its id; that an account exists already only its owner learns."""
    signup, code = secrets.token_urlsafe(16), f"{secrets.randbelow(1_000_000):06}"
    database().execute("DELETE FROM signups WHERE expires < ?", (time.time(),))
    database().execute(
        "INSERT INTO signups VALUES (?, ?, ?, ?, ?, ?, ?)",
        (signup, name, contact.address, password_hash, _mac(signup, code), TRIES, time.time() + LIFETIME),
    )
    if find_account(contact.address):
        send(contact, "Somebody tried to sign up to Lantern with this address. You have an account already: log in.")
    else:
        send(contact, f"{code} is your Lantern code. It works for {LIFETIME // 60} minutes. Never tell it to anybody.")
    return signup


def signup_contact(signup: str) -> str | None:
    """Return where the code of ``signup`` went, or ``None`` when there is no such sign-up."""
    row = database().execute("SELECT contact FROM signups WHERE id = ?", (signup,)).fetchone()
    return row["contact"] if row else None


def take_signup(signup: str, code: str) -> Account | None:
    """Take one try from ``signup`` and return the account to make if ``code`` is right.

    ``None`` for everything else alike: wrong, too old, tries used up, confirmed before.
    """
    with transaction() as connection:
        row = connection.execute(
            "UPDATE signups SET tries = tries - 1 WHERE id = ? AND tries > 0 AND expires > ? RETURNING *",
            (signup, time.time()),
        ).fetchone()
        if row is None or not hmac.compare_digest(row["code_mac"], _mac(signup, code)):
            return None
        connection.execute("DELETE FROM signups WHERE id = ?", (signup,))
    return Account(row["name"], row["contact"], row["password_hash"])


def _mac(signup: str, code: str) -> bytes:
    key = current_app.config["SECRET_KEY"]
    return hmac.digest(key, f"signup\0{signup}\0{code}".encode(), hashlib.sha256)
