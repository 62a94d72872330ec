"""SQLite at the start: a place that won't do stops it with one sentence that names the place."""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from authguard.errors import ConfigurationError
from authguard.stores import open_store
from authguard.stores.sqlite import SQLiteStore
from authguard.stores.sqlite_start import path_of
from authguard.testing.plans import attempts, left, spend
from tests.stores.harnesses import PATIENT

NOBODY = 65_534


def refusal(path: Path | str) -> str:
    """Return the sentence with which a store at ``path`` refuses to start."""
    with pytest.raises(ConfigurationError) as caught:
        open_store(path if isinstance(path, str) else f"sqlite:///{path}")
    sentence = str(caught.value)
    assert "\n" not in sentence
    if isinstance(path, Path):
        assert str(path) in sentence or str(path.parent) in sentence
    return sentence


@contextmanager
def unprivileged() -> Iterator[None]:
    """Give root's power over permissions up for a while, as far as it is there."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("sqlite:///store.db", Path.cwd() / "store.db"),
        ("sqlite:///instance/store.db", Path.cwd() / "instance/store.db"),
        ("sqlite:////var/lib/app/store.db", Path("/var/lib/app/store.db")),
        ("sqlite:////var/lib/my%20app/100%25.db", Path("/var/lib/my app/100%.db")),
    ],
)
def test_a_url_names_a_path(url: str, path: Path) -> None:
    assert path_of(url) == path


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///",
        "sqlite://store.db",
        "sqlite://host/store.db",
        "sqlite:///a.db?mode=ro",
        "sqlite:///a#b",
    ],
)
def test_a_url_that_names_no_path_is_refused(url: str) -> None:
    assert "sqlite:///relative/path or sqlite:////absolute/path" in refusal(url)


def test_memory_is_another_store() -> None:
    assert "use memory://" in refusal("sqlite:///:memory:")


def test_a_store_finds_what_an_earlier_one_counted(tmp_path: Path) -> None:
    counter = attempts("5/1h")
    for remaining in (4, 3):
        with closing(SQLiteStore(tmp_path / "100% ?#.db", deadline=PATIENT)) as store:
            spend(store, counter, 1)
            assert left(store, counter) == remaining


def test_nobody_else_may_read_the_files(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with closing(SQLiteStore(tmp_path / "store.db", deadline=PATIENT)) as store:
            spend(store, attempts(), 1)
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("store.db", "store.db-lock", "store.db-wal", "store.db-shm"), 0o600)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert "does not exist; create it" in refusal(tmp_path / "missing" / "store.db")


def test_a_file_for_a_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "can't write" in refusal(tmp_path / "file" / "store.db")


def test_a_folder_for_a_file_is_named(tmp_path: Path) -> None:
    assert "can't use" in refusal(tmp_path)


def test_a_folder_that_cant_be_written_is_named() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o555)
        with unprivileged():
            assert "let the server write that folder" in refusal(folder / "store.db")


def test_a_file_that_cant_be_written_is_named() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        SQLiteStore(folder / "store.db").close()
        (folder / "store.db").chmod(0o444)
        (folder / "store.db-lock").chmod(0o666)
        folder.chmod(0o777)
        with unprivileged():
            assert "can't use" in refusal(folder / "store.db")


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Ceci n'est pas une base de données. " * 100)
    before = path.read_bytes()
    assert "is no SQLite database" in refusal(path)
    assert path.read_bytes() == before


def test_another_applications_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "app.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE users (id)")
    before = path.read_bytes()
    assert "is another application's database" in refusal(path)
    assert path.read_bytes() == before


def test_another_versions_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    SQLiteStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=999")
    assert "another version of authguard" in refusal(path)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with closing(SQLiteStore(path, deadline=PATIENT)) as store:
        spend(store, attempts("1000/1h"), 500)
    content = bytearray(path.read_bytes())
    content[4096 + 4 : -512] = bytes(len(content) - 4096 - 4 - 512)
    path.write_bytes(content)
    assert "is damaged" in refusal(path)
