"""Plugin: pytest fixtures for tests of applications; write ``pytest_plugins = ["authguard.testing.plugin"]``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.stores import Store
from authguard.stores.memory import MemoryStore
from authguard.stores.sqlite import SQLiteStore

pytest.register_assert_rewrite("authguard.testing.contract", "authguard.testing.machine", "authguard.testing.plans")


@pytest.fixture
def authguard_clock() -> ManualClock:
    """A clock that stands still until the test advances it; the stores below live in its time."""
    return ManualClock()


@pytest.fixture
def authguard_store(authguard_clock: ManualClock) -> Iterator[Store]:
    """An empty store in memory."""
    store = MemoryStore(authguard_clock)
    yield store
    store.close()


@pytest.fixture
def authguard_sqlite_store(authguard_clock: ManualClock, tmp_path: Path) -> Iterator[Store]:
    """An empty store in a file, with a deadline that a slow test machine does not miss."""
    store = SQLiteStore(tmp_path / "authguard.db", deadline=10 * SECOND, clock=authguard_clock)
    yield store
    store.close()
