"""Database: the demo's own SQLite file with accounts, pending sign-ups and messages, one connection a request."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from flask import Flask, current_app, g

SCHEMA = """
CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    contact TEXT NOT NULL,
    contact_key TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS recovery_codes (
    account TEXT NOT NULL,
    hash TEXT NOT NULL,
    used INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account, hash)
) STRICT;
CREATE TABLE IF NOT EXISTS mailboxes (
    key TEXT PRIMARY KEY,
    account TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE IF NOT EXISTS newcomers (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    contact TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    expires REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS codes (
    token TEXT PRIMARY KEY,
    purpose TEXT NOT NULL,
    recipient TEXT NOT NULL,
    account TEXT,
    code TEXT NOT NULL,
    tries INTEGER NOT NULL,
    expires REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS messages (
    id INTEGER PRIMARY KEY,
    channel TEXT NOT NULL,
    recipient TEXT NOT NULL,
    text TEXT NOT NULL,
    sent REAL NOT NULL
) STRICT;
"""


def open_database(path: Path) -> sqlite3.Connection:
    """Open the file at ``path`` in autocommit mode, with readers that don't wait for writers."""
    connection = sqlite3.connect(path, timeout=10, isolation_level=None)
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


def prepare_database(path: Path) -> None:
    """Make the tables that are missing."""
    with closing(open_database(path)) as connection:
        connection.executescript(SCHEMA)


def database() -> sqlite3.Connection:
    """Return this request's connection."""
    if "database" not in g:
        g.database = open_database(current_app.config["DEMO_DATABASE"])
    return cast(sqlite3.Connection, g.database)


@contextmanager
def transaction() -> Iterator[sqlite3.Connection]:
    """Run the block as one writing transaction."""
    connection = database()
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield connection


def close_after_requests(app: Flask) -> None:
    """Close each request's connection when the request ends."""

    @app.teardown_appcontext
    def close(error: BaseException | None) -> None:
        connection = g.pop("database", None)
        if connection is not None:
            connection.close()
