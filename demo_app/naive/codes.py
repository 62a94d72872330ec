"""Codes by hand: what a careful developer writes in an afternoon; the naive flows change one step of it each."""

from __future__ import annotations

import hmac
import secrets
import sqlite3
import time
from dataclasses import dataclass

from demo_app.contact import Contact, read_contact
from demo_app.database import database
from demo_app.outbox import send

LIFETIME = 300
"""Seconds for which a code works."""
TRIES = 5


@dataclass(frozen=True, slots=True)
class HandSent:
    """The answer to a request for a code."""

    token: str
    next_send_in: int = 0


@dataclass(frozen=True, slots=True)
class HandReader:
    """Whom a link speaks for."""

    account: str | None
    to: str | None


class HandCodes:
    """Keeps codes in a table, with the tries that are left."""

    digits = 6
    lifetime = LIFETIME

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> HandSent:
        """Send a code, where there is anybody to get one."""
        token, code = secrets.token_urlsafe(16), self.draw()
        database().execute(
            "INSERT INTO codes VALUES (?, ?, ?, ?, ?, ?, ?)",
            (token, purpose, to, account, code, TRIES, time.time() + self.lifetime),
        )
        if deliver is not None:
            text = f"{code} is your Lantern code. Or open /continue/{token} in your browser."
            self.hand_over(read_contact(deliver), text)
        return HandSent(token)

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right, and use it up."""
        row = database().execute("SELECT * FROM codes WHERE token = ? AND expires > ?", (token, time.time())).fetchone()
        if row is None or not self.belongs(row, purpose, to) or row["tries"] < 1:
            return False
        self.take_try(token)
        if not self.same(row["code"], code):
            return False
        self.use_up(token)
        return True

    def hand_over(self, contact: Contact, text: str) -> None:
        """Have a message leave."""
        send(contact, text)

    def draw(self) -> str:
        """Return a new code."""
        return f"{secrets.randbelow(1_000_000):06}"

    def belongs(self, row: sqlite3.Row, purpose: str, to: str) -> bool:
        """Return whether the challenge in ``row`` is of this flow and this identity."""
        return bool((row["purpose"], row["recipient"]) == (purpose, to))

    def take_try(self, token: str) -> None:
        """Take one try from the challenge."""
        database().execute("UPDATE codes SET tries = tries - 1 WHERE token = ?", (token,))

    def same(self, expected: str, code: str) -> bool:
        """Return whether ``code`` is the one that was sent."""
        return hmac.compare_digest(expected.encode(), code.encode())

    def use_up(self, token: str) -> None:
        """Let the code be good no more."""
        database().execute("DELETE FROM codes WHERE token = ?", (token,))

    def read_link(self, token: str) -> HandReader | None:
        """Return whom a link speaks for."""
        row = database().execute("SELECT * FROM codes WHERE token = ? AND expires > ?", (token, time.time())).fetchone()
        return HandReader(row["account"], None if row["account"] else row["recipient"]) if row else None

    def follow_link(self, purpose: str, token: str, *, deliver: str | None) -> HandReader | None:
        """Use a link up."""
        row = (
            database()
            .execute(
                "DELETE FROM codes WHERE token = ? AND purpose = ? AND expires > ? RETURNING *",
                (token, purpose, time.time()),
            )
            .fetchone()
        )
        return HandReader(row["account"], None if row["account"] else row["recipient"]) if row else None

    def forget_devices(self, account: str) -> None:
        """Do nothing: there are no known devices."""
