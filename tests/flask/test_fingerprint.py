"""A secret that is drawn anew at each start is told of: every process would count for itself."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from authguard.stores.memory import MemoryStore
from authguard.testing import ManualClock
from tests.flask.site import Site


def start(folder: Path, store: object, secret: str = "") -> None:
    Site(folder, AUTHGUARD_STORE=store, AUTHGUARD_SECRET=secret or secrets.token_hex(32))


def told(caplog: pytest.LogCaptureFixture) -> int:
    return sum(record.getMessage().startswith("many_secrets: ") for record in caplog.records)


def test_the_fourth_secret_within_an_hour_is_told_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    for _ in range(3):
        start(tmp_path, store)
    assert told(caplog) == 0
    start(tmp_path, store)
    assert told(caplog) == 1
    clock.advance(3600 * 1_000_000)
    start(tmp_path, store)
    assert told(caplog) == 1


def test_workers_that_share_a_secret_and_a_rotation_are_not(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = MemoryStore()
    for secret in ["a" * 32] * 9 + ["b" * 32] * 9:
        start(tmp_path, store, secret)
    assert told(caplog) == 0


def test_applications_with_names_of_their_own_are_not_compared(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    for name in "abcdef":
        Site(tmp_path, AUTHGUARD_STORE=store, AUTHGUARD_SECRET=secrets.token_hex(32), AUTHGUARD_NAMESPACE=name)
    assert told(caplog) == 0
