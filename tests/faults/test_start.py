"""The start: a server that would lose counters stops it, one that is down for the moment does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from prometheus_client import CollectorRegistry

from authguard.errors import ConfigurationError
from authguard.events import Observer
from authguard.flask import AuthGuard
from authguard.flask.config import WORKERS
from authguard.flask.state import State, state_of
from authguard.observe.prometheus import PrometheusObserver
from tests.servers.ports import free_port
from tests.servers.redis import RedisServer


def start(folder: Path, *observers: Observer, **config: Any) -> State:
    app = Flask("site", instance_path=str(folder))
    app.config.update(SECRET_KEY="k" * 40, **{f"AUTHGUARD_{name}": value for name, value in config.items()})
    AuthGuard(app, observers=observers)
    return state_of(app)


@pytest.fixture(scope="module")
def forgetful() -> Iterator[str]:
    with RedisServer("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru") as server:
        yield server.url


@pytest.mark.parametrize("how", [{}, {"STORE_CHECK": "refuse"}, {"STORE_CHECK": "strict"}])
def test_a_server_that_drops_counters_stops_the_start(tmp_path: Path, forgetful: str, how: dict[str, str]) -> None:
    with pytest.raises(ConfigurationError, match=r"AG404.*noeviction") as raised:
        start(tmp_path, STORE=forgetful, DEADLINE="2s", **how)
    assert "\n" not in str(raised.value)


def test_it_is_only_told_where_that_is_asked_for(
    tmp_path: Path, forgetful: str, caplog: pytest.LogCaptureFixture
) -> None:
    start(tmp_path, STORE=forgetful, DEADLINE="2s", STORE_CHECK="warn")
    assert [record.levelname for record in caplog.records if "AG404" in record.message] == ["WARNING"]


def test_a_worker_starts_while_the_server_is_down(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    start(tmp_path, STORE=f"redis://127.0.0.1:{free_port()}")
    assert [record.levelname for record in caplog.records if "AG401" in record.message] == ["WARNING"]


def test_a_strict_start_needs_the_server(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="AG401") as raised:
        start(tmp_path, STORE=f"redis://127.0.0.1:{free_port()}", STORE_CHECK="strict")
    assert "\n" not in str(raised.value)


def test_an_odd_word_for_the_check_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="refuse, strict, warn"):
        start(tmp_path, STORE="memory://", STORE_CHECK="off")


@pytest.mark.parametrize(
    ("told", "server", "workers"),
    [
        ("3", "7", 3),
        (None, "7", 7),
        (None, None, WORKERS),
        (None, "", WORKERS),
        (None, "0", WORKERS),
        (None, "x", WORKERS),
    ],
)
def test_the_number_of_workers_is_told_or_taken_from_the_servers_own_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str | None, server: str | None, workers: int
) -> None:
    for name, value in (("AUTHGUARD_WORKERS", told), ("WEB_CONCURRENCY", server)):
        monkeypatch.delenv(name, raising=False)
        if value is not None:
            monkeypatch.setenv(name, value)
    assert start(tmp_path, STORE="memory://").config.workers == workers


def test_no_workers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="AUTHGUARD_WORKERS"):
        start(tmp_path, STORE="memory://", WORKERS=0)


def test_a_wrong_password_stops_the_start(tmp_path: Path) -> None:
    with RedisServer(password="right") as server, pytest.raises(ConfigurationError, match="AG407") as raised:
        start(tmp_path, STORE=f"redis://:wrong@127.0.0.1:{server.port}", DEADLINE="2s")
    assert "wrong" not in str(raised.value)


def test_a_store_is_shown_as_up_from_the_start(tmp_path: Path) -> None:
    start(tmp_path, PrometheusObserver(registry := CollectorRegistry()), STORE="memory://")
    assert registry.get_sample_value("rate_limit_backend_up", {"backend": "memory"}) == 1
