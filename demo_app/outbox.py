"""Outbox: the messages that a real application would have sent."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass

from demo_app.contact import Channel, Contact
from demo_app.database import database

_SHOWN = 50
_KEPT = 1000


@dataclass(frozen=True, slots=True)
class Message:
    """A message; ``sent`` is in seconds since the Unix epoch."""

    channel: Channel
    recipient: str
    text: str
    sent: float


def send(contact: Contact, text: str) -> None:
    """Put a message into the outbox."""
    put(database(), contact, text)


def put(connection: sqlite3.Connection, contact: Contact, text: str) -> None:
    """Put a message into the outbox, which forgets its oldest ones."""
    added = connection.execute(
        "INSERT INTO messages (channel, recipient, text, sent) VALUES (?, ?, ?, ?)",
        (contact.channel, contact.address, text, time.time()),
    )
    connection.execute("DELETE FROM messages WHERE id <= ?", ((added.lastrowid or 0) - _KEPT,))


def latest_messages() -> list[Message]:
    """Return the newest messages, newest first."""
    rows = database().execute("SELECT channel, recipient, text, sent FROM messages ORDER BY id DESC LIMIT ?", (_SHOWN,))
    return [Message(Channel(row["channel"]), row["recipient"], row["text"], row["sent"]) for row in rows]
