"""Late book: a message is written down when the provider has said that it took it."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing

from demo_app.database import open_database
from demo_app.naive.hand_book import BOOK, HandBook, HandEntry


class LateEntry(HandEntry):
    """A line that is yet to be written."""

    def __init__(self, book: HandBook, channel: str, to: str) -> None:
        super().__init__(book, 0)
        self._channel, self._to = channel, to

    def commit(self) -> None:
        """Write it."""
        with closing(open_database(self.book.path)) as connection:
            HandBook.enter(self.book, connection, self._channel, self._to, time.time())


class LateBook(HandBook):
    """Leaves what is under way unwritten."""

    def enter(self, connection: sqlite3.Connection, channel: str, to: str, now: float) -> HandEntry:
        """Wait for what comes of it."""
        return LateEntry(self, channel, to)


LATE = {BOOK: LateBook}
