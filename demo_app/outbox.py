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
    """A message; ``number`` counts all there were, ``sent`` is in seconds since the Unix epoch."""

    number: int
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


def latest_messages(recipient: str | None = None) -> list[Message]:
    """Return the newest messages, newest first; to ``recipient``, where one is named, all that are left."""
    rows = database().execute(
        "SELECT id, channel, recipient, text, sent FROM messages WHERE ?1 IS NULL OR recipient = ?1 "
        "ORDER BY id DESC LIMIT ?2",
        (recipient, _SHOWN if recipient is None else _KEPT),
    )
    return [Message(row["id"], Channel(row["channel"]), row["recipient"], row["text"], row["sent"]) for row in rows]
