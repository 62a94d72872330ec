"""SQLite start: makes the store's database file or checks the one that is there, before the first request."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from time import monotonic_ns
from urllib.parse import quote, unquote, urlsplit

from authguard.errors import ConfigurationError
from authguard.stores.file_lock import FileLock

APPLICATION = 0x61756772
"""The mark in the file's header by which SQLite tells whose database it is: ``augr``."""
VERSION = 2
"""The version of the table and of what stands in it; a file of another version is not read."""
START = 5_000_000_000
"""Nanoseconds that the start waits for other processes of the machine that are starting as well."""
TABLE = "CREATE TABLE IF NOT EXISTS held (key INTEGER PRIMARY KEY, expires INTEGER NOT NULL, state BLOB NOT NULL)"
CACHE = 8 * 1024
"""Kilobytes of pages that a process may keep."""


def path_of(url: str) -> Path:
    """Return the absolute path that ``sqlite:///relative`` or ``sqlite:////absolute`` names.

    Raises ``ConfigurationError`` with one sentence for anything else.
    """
    parts = urlsplit(url)
    name = unquote(parts.path[1:])
    if parts.netloc or not name or parts.query or parts.fragment or "\0" in name:
        raise ConfigurationError(
            "a SQLite store's URL is sqlite:///relative/path or sqlite:////absolute/path, and nothing else in it"
        )
    if name == ":memory:":
        raise ConfigurationError("sqlite:///:memory: would be shared by nobody; use memory:// for counters in memory")
    return Path(name).absolute()


def lock_path(path: Path) -> Path:
    """Return where the lock in front of the database lies."""
    return path.with_name(path.name + "-lock")


def connect(path: Path, busy: float = 0) -> sqlite3.Connection:
    """Open the existing database at ``path``, waiting ``busy`` seconds for others; commits go to the system unsynced.

    Its single connection passes from thread to thread, one at a time.
    """
    connection = sqlite3.connect(
        f"file:{quote(str(path))}?mode=rw", uri=True, timeout=busy, isolation_level=None, check_same_thread=False
    )
    try:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute(f"PRAGMA cache_size=-{CACHE}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def prepare(path: Path) -> None:
    """Make the database at ``path``, or check the one there; raises ``ConfigurationError`` with one sentence."""
    try:
        _create(path)
        lock = FileLock(lock_path(path))
    except FileNotFoundError:
        raise ConfigurationError(f"the folder {path.parent} does not exist; create it, or name another file") from None
    except OSError as fault:
        raise ConfigurationError(
            f"the SQLite store can't write {path} ({fault.strerror}); let the server write that folder, or name another"
        ) from fault
    try:
        lock.acquire(monotonic_ns() + START)
        with closing(connect(path, START / 1e9)) as connection:
            _check(path, connection)
    except sqlite3.OperationalError as fault:
        raise ConfigurationError(f"the SQLite store can't use {path}: {fault}") from fault
    except sqlite3.DatabaseError as fault:
        raise ConfigurationError(
            f"{path} is damaged or is no SQLite database ({fault}); delete it, or name another file"
        ) from fault
    finally:
        lock.close()


def _create(path: Path) -> None:
    """Make an empty file that its owner alone can read; never open one that exists.

    Closing a descriptor of a database would drop the locks that SQLite holds on it elsewhere in this process.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _check(path: Path, connection: sqlite3.Connection) -> None:
    application, version, tables = (
        connection.execute(query).fetchone()[0]
        for query in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_schema")
    )
    if application != APPLICATION and (application or tables):
        raise ConfigurationError(f"{path} is another application's database; name a file of its own for the store")
    if application and version != VERSION:
        raise ConfigurationError(f"{path} was written by another version of authguard; delete it, or name another file")
    mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    if mode != "wal":
        raise ConfigurationError(f"the file system of {path} can't share a database; use a local disk, or redis://")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(TABLE)
    connection.execute(f"PRAGMA application_id={APPLICATION}")
    connection.execute(f"PRAGMA user_version={VERSION}")
    connection.execute("COMMIT")
    finding = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if finding != "ok":
        raise sqlite3.DatabaseError(finding.splitlines()[-1])
