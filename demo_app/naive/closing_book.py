"""Closing book: a country with many messages that nobody uses is closed, to everybody."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from demo_app.database import open_database
from demo_app.naive.hand_book import BOOK, HandBook

MOST = 20
"""Messages that may go unused within an hour."""
WINDOW = 3600


class ClosingBook(HandBook):
    """Takes used messages off, and adds the others up by their calling code's first digit."""

    def stopped(self, connection: sqlite3.Connection, channel: str, to: str, now: float) -> bool:
        """Return whether too many there are unused."""
        query = "SELECT count(*) FROM spent WHERE channel = ? AND substr(recipient, 1, 2) = ? AND at > ?"
        found: int = connection.execute(query, (channel, to[:2], now - WINDOW)).fetchone()[0]
        return found > MOST

    def verified(self, channel: str, to: str, key: str) -> None:
        """Take the messages to ``to`` off."""
        with closing(open_database(self.path)) as connection:
            connection.execute("DELETE FROM spent WHERE channel = ? AND recipient = ?", (channel, to))


CLOSING = {BOOK: ClosingBook}
