"""Accounts: who has one, and how an identifier finds it."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass

from authguard.errors import IdentityError
from authguard.identity import email_key
from demo_app.contact import fold, read_contact
from demo_app.database import database, transaction

_NAME = re.compile(r"[^\W\d_][\w .'-]{0,38}\w")


@dataclass(frozen=True, slots=True)
class Account:
    """A confirmed account."""

    name: str
    contact: str
    password_hash: str


def read_name(text: str) -> str:
    """Return ``text`` as a user name; raises ``ValueError`` for one that can't be told from a contact."""
    name = " ".join(text.split())
    if not _NAME.fullmatch(name):
        raise ValueError("not a user name")
    return name


def find_account(identifier: str) -> Account | None:
    """Return the account whose user name, e-mail address or phone number is ``identifier``."""
    key = fold(identifier)
    row = (
        database()
        .execute(
            "SELECT name, contact, password_hash FROM accounts WHERE name_key = ? OR contact_key IN (?, ?)",
            (key, key, _phone_key(identifier)),
        )
        .fetchone()
    )
    return Account(**row) if row else None


def account_named(key: str) -> Account | None:
    """Return the account whose id, as :func:`account_id` gives it, is ``key``."""
    row = database().execute("SELECT name, contact, password_hash FROM accounts WHERE name_key = ?", (key,)).fetchone()
    return Account(**row) if row else None


def set_password(name: str, password_hash: str) -> None:
    """Store a new password of the account called ``name``."""
    database().execute("UPDATE accounts SET password_hash = ? WHERE name_key = ?", (password_hash, fold(name)))


def mailbox_key(contact: str) -> str:
    """Return what all spellings of a contact have in common."""
    try:
        return email_key(contact)
    except IdentityError:  # a phone number, which has one spelling by now
        return fold(contact)


def set_contact(name: str, contact: str, mailbox: str) -> bool:
    """Have the account's messages go to ``contact``; ``False`` where another account has it or its ``mailbox``."""
    key = fold(name)
    with transaction() as connection:
        taken = connection.execute("SELECT 1 FROM mailboxes WHERE key = ? AND account != ?", (mailbox, key)).fetchone()
        changed = taken is None and connection.execute(
            "UPDATE OR IGNORE accounts SET contact = ?, contact_key = ? WHERE name_key = ?",
            (contact, fold(contact), key),
        )
        if changed and changed.rowcount == 1:
            connection.execute("DELETE FROM mailboxes WHERE account = ?", (key,))
            connection.execute("INSERT INTO mailboxes VALUES (?, ?)", (mailbox, key))
            return True
    return False


def account_id(identifier: str) -> str | None:
    """Return what stays the same about the account of ``identifier``: its name, however it was asked for."""
    account = find_account(identifier)
    return fold(account.name) if account else None


def add_account(connection: sqlite3.Connection, account: Account, mailbox: str) -> str | None:
    """Store ``account`` and return the name it got: with a number behind it where the plain one is taken.

    Returns ``None`` when the contact, or its ``mailbox``, has an account already. Nobody learns from a sign-up form
    which names exist.
    """
    taken = "SELECT 1 FROM accounts WHERE contact_key = ? UNION ALL SELECT 1 FROM mailboxes WHERE key = ?"
    if connection.execute(taken, (fold(account.contact), mailbox)).fetchone():
        return None
    name, number = account.name, 1
    while connection.execute("SELECT 1 FROM accounts WHERE name_key = ?", (fold(name),)).fetchone():
        number += 1
        name = f"{account.name} {number}"
    connection.execute(
        "INSERT INTO accounts (name, name_key, contact, contact_key, password_hash) VALUES (?, ?, ?, ?, ?)",
        (name, fold(name), account.contact, fold(account.contact), account.password_hash),
    )
    connection.execute("INSERT INTO mailboxes VALUES (?, ?)", (mailbox, fold(name)))
    return name


def _phone_key(identifier: str) -> str | None:
    if "@" in identifier or not any(character.isdigit() for character in identifier):
        return None
    try:
        return read_contact(identifier).address
    except ValueError:
        return None
