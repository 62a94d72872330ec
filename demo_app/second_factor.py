"""Second factor: recovery codes on paper, for the accounts that have them; each is good once."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from authguard.otp.recovery import hash_recovery_code
from demo_app.database import database


def recovery_hashes(account: str) -> list[str]:
    """Return the hashes of the codes that are left to ``account``, which is its id."""
    rows = database().execute("SELECT hash FROM recovery_codes WHERE account = ? AND NOT used", (account,))
    return [row["hash"] for row in rows]


def has_second_factor(account: str) -> bool:
    """Return whether a password alone doesn't open ``account``; it doesn't when all codes are used up, either."""
    row = database().execute("SELECT 1 FROM recovery_codes WHERE account = ?", (account,)).fetchone()
    return row is not None


def strike(account: str, made: str) -> bool:
    """Use the code with the hash ``made`` up; return whether it was left."""
    struck = database().execute(
        "UPDATE recovery_codes SET used = 1 WHERE account = ? AND hash = ? AND NOT used", (account, made)
    )
    return struck.rowcount == 1


def add_recovery_codes(connection: sqlite3.Connection, account: str, codes: Iterable[str]) -> None:
    """Have ``account`` ask for one of ``codes`` after the password."""
    rows = [(account, hash_recovery_code(account, code)) for code in codes]
    connection.executemany("INSERT INTO recovery_codes (account, hash) VALUES (?, ?)", rows)
