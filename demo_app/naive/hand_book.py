"""Hand book: what is spent on messages, written by hand: a table, and a count before each line; in place of the ledger.

The naive books change one step of it each. It has mistakes of its own, which its defenses are about: what a killed
worker put aside never comes back, a key is no key, and whoever comes first gets all there is.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from flask import Flask

from authguard.delivery import Free, Withheld
from authguard.policy import load_settings
from authguard.spend import Channel, read_channels
from demo_app.database import open_database
from demo_app.gate import Defenses

SCHEMA = "CREATE TABLE IF NOT EXISTS spent (id INTEGER PRIMARY KEY, channel TEXT, recipient TEXT, at REAL)"


class HandEntry:
    """A line in the book."""

    def __init__(self, book: HandBook, row: int) -> None:
        self.book = book
        self.row = row

    def dispatch(self) -> bool:
        """Go on: it is written down already."""
        return True

    def commit(self) -> None:
        """Leave the line where it is."""

    def release(self) -> None:
        """Strike the line out."""
        self.book.strike(self.row)


class HandBook(Free):
    """Keeps each channel within its caps, in rolling windows that all workers share."""

    def __init__(self, path: Path, channels: Mapping[str, Channel]) -> None:
        self.path = path
        self.channels = channels
        with closing(open_database(path)) as connection:
            connection.execute(SCHEMA)

    def is_spent(self, channel: str, known: bool) -> bool:
        """Return whether a cap is full."""
        with closing(open_database(self.path)) as connection:
            return self.full(connection, channel, time.time())

    def reserve(self, channel: str, to: str, key: str, *, device: bool) -> HandEntry:
        """Write a line, where there is room for it."""
        with closing(open_database(self.path)) as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            now = time.time()
            if self.full(connection, channel, now) or self.stopped(connection, channel, to, now):
                raise Withheld("exhausted")
            return self.enter(connection, channel, to, now)

    def enter(self, connection: sqlite3.Connection, channel: str, to: str, now: float) -> HandEntry:
        """Write the line."""
        added = connection.execute("INSERT INTO spent (channel, recipient, at) VALUES (?, ?, ?)", (channel, to, now))
        return HandEntry(self, added.lastrowid or 0)

    def full(self, connection: sqlite3.Connection, channel: str, now: float) -> bool:
        """Return whether a cap is full."""
        return any(
            self.spent(connection, channel, self.start(now, limit.period / 1e6)) >= limit.amount
            for limit in self.channels[channel].caps.values()
        )

    def spent(self, connection: sqlite3.Connection, channel: str, since: float) -> int:
        """Return how many lines there are since then."""
        query = "SELECT count(*) FROM spent WHERE channel = ? AND at > ?"
        found: int = connection.execute(query, (channel, since)).fetchone()[0]
        return found

    def start(self, now: float, period: float) -> float:
        """Return when the window that holds ``now`` began."""
        return now - period

    def stopped(self, connection: sqlite3.Connection, channel: str, to: str, now: float) -> bool:
        """Return whether messages to numbers like that are stopped; they never are."""
        return False

    def strike(self, row: int) -> None:
        """Strike a line out."""
        with closing(open_database(self.path)) as connection:
            connection.execute("DELETE FROM spent WHERE id = ?", (row,))


BOOK = "DEMO_BOOK"
"""The setting that names the book in the ledger's place."""
BY_HAND = {BOOK: HandBook}


def open_book(app: Flask) -> HandBook | None:
    """Return the book that ``app`` keeps in the ledger's place, if any."""
    kind: type[HandBook] | None = app.config.get(BOOK)
    if kind is None:
        return None
    spend = load_settings(app.config["AUTHGUARD_CONFIG"]).spend
    return kind(Path(app.instance_path, "book.sqlite3"), read_channels(spend))


def keep_book(app: Flask, defenses: Defenses) -> Defenses:
    """Replace nothing more: which book is kept is in the settings."""
    return defenses
