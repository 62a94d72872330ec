"""The file lock: one holder at a time, and a wait that ends."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event, Thread
from time import monotonic_ns

import pytest

from authguard.errors import StoreTimeout
from authguard.stores.file_lock import FileLock

LONG = 60_000_000_000
SHORT = 20_000_000


def test_one_holds_it_at_a_time(tmp_path: Path) -> None:
    one, other = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    one.acquire(monotonic_ns())
    begin = monotonic_ns()
    with pytest.raises(StoreTimeout):
        other.acquire(begin + SHORT)
    assert monotonic_ns() - begin >= SHORT
    one.release()
    other.acquire(monotonic_ns())
    with pytest.raises(StoreTimeout):
        one.acquire(monotonic_ns())
    other.close()
    one.acquire(monotonic_ns())
    one.close()


def test_whoever_waits_gets_it_when_it_is_free(tmp_path: Path) -> None:
    one, other, got = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock"), Event()
    one.acquire(monotonic_ns())

    def wait() -> None:
        other.acquire(monotonic_ns() + LONG)
        got.set()

    thread = Thread(target=wait)
    thread.start()
    assert not got.wait(0.02)
    one.release()
    assert got.wait(60)
    thread.join()
    one.close()
    other.close()


def test_a_forked_child_that_lives_on_does_not_keep_it(tmp_path: Path) -> None:
    lock, other = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    lock.acquire(monotonic_ns())
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    lock.release()
    other.acquire(monotonic_ns())
    os.close(writing)
    os.waitpid(child, 0)
    os.close(reading)
    lock.close()
    other.close()


def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    FileLock(tmp_path / "lock").close()
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
