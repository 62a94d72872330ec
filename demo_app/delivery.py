"""Delivery: hands authguard's messages to the outbox, from whatever thread they leave on."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from authguard.delivery import Message
from demo_app.contact import Channel, Contact
from demo_app.database import open_database
from demo_app.outbox import put


class OutboxDelivery:
    """Puts each message into the outbox of the database at ``path``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def deliver(self, message: Message) -> None:
        """Store ``message``."""
        with closing(open_database(self._path)) as connection:
            put(connection, Contact(Channel(message.channel), message.to), message.text)
