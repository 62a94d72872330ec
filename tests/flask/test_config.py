"""Bad configuration stops the start with one sentence that says what to change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from authguard.errors import ConfigurationError
from authguard.flask import AuthGuard
from authguard.flask.config import read_config
from authguard.stores.memory import MemoryStore
from authguard.testing import ManualClock
from tests.flask.site import Site


def start(folder: Path, **config: Any) -> None:
    app = Flask("site", instance_path=str(folder))
    app.config.update(config)
    AuthGuard(app)


GOOD = {"SECRET_KEY": "k" * 40}


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({}, "AUTHGUARD_SECRET"),
        ({"AUTHGUARD_SECRET": "short"}, "AUTHGUARD_SECRET is shorter than 16 bytes"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is shorter than 16 bytes; set it to"),
        ({"SECRET_KEY": "x" * 32, "SECRET_KEY_FALLBACKS": ["dev"]}, "a key of SECRET_KEY_FALLBACKS is shorter"),
        ({**GOOD, "AUTHGUARD_STORE": Path("authguard.db")}, "AUTHGUARD_STORE must be a URL"),
        ({**GOOD, "AUTHGUARD_STORE": "mysql://x"}, "sqlite://"),
        ({**GOOD, "AUTHGUARD_PROXIES": "cloudfare"}, "nginx"),
        ({**GOOD, "AUTHGUARD_PROXIES": 3}, "AUTHGUARD_PROXIES"),
        ({**GOOD, "AUTHGUARD_DEADLINE": "fast"}, "AUTHGUARD_DEADLINE"),
        ({**GOOD, "AUTHGUARD_THREADS": "0"}, "AUTHGUARD_THREADS"),
        ({**GOOD, "AUTHGUARD_THREADS": True}, "AUTHGUARD_THREADS"),
        ({**GOOD, "AUTHGUARD_WORKERS": 2.5}, "AUTHGUARD_WORKERS"),
        ({**GOOD, "AUTHGUARD_PROXIES": "cidr="}, "names no proxy"),
        ({**GOOD, "AUTHGUARD_PROXYS": "nginx"}, "AUTHGUARD_PROXYS is not known"),
        ({"AUTHGUARD_SECRET": "x" * 32, "AUTHGUARD_PREVIOUS_SECRETS": 5}, "AUTHGUARD_PREVIOUS_SECRETS"),
        ({"AUTHGUARD_SECRET": "x" * 32, "AUTHGUARD_PREVIOUS_SECRETS": b"y" * 32}, "AUTHGUARD_PREVIOUS_SECRETS"),
        ({"SECRET_KEY": "x" * 32, "SECRET_KEY_FALLBACKS": "y" * 32}, "SECRET_KEY_FALLBACKS must be a list"),
        ({**GOOD, "AUTHGUARD_DEVICE_LIFE": "0s"}, "AUTHGUARD_DEVICE_LIFE"),
        ({**GOOD, "AUTHGUARD_DEVICE_LIFE": "59m"}, "at least 1h"),
        ({**GOOD, "AUTHGUARD_DEVICE_LIFE": "500d"}, "AUTHGUARD_DEVICE_LIFE"),
        ({**GOOD, "AUTHGUARD_CONFIG": "missing.toml"}, "missing.toml"),
        (
            {**GOOD, "AUTHGUARD_PREVIOUS_SECRETS": ["k"], "AUTHGUARD_SECRET": "x" * 32},
            "AUTHGUARD_PREVIOUS_SECRETS is short",
        ),
    ],
)
def test_a_wrong_setting_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: dict[str, Any], sentence: str
) -> None:
    monkeypatch.delenv("AUTHGUARD_SECRET", raising=False)
    with pytest.raises(ConfigurationError) as raised:
        start(tmp_path, **config)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("config", "seconds"),
    [
        ({}, 1),
        ({"AUTHGUARD_STORE": "redis://127.0.0.1:6379/0"}, 0.05),
        ({"AUTHGUARD_DEADLINE": "80ms"}, 0.08),
    ],
)
def test_a_file_that_workers_queue_for_is_waited_for_longer_than_a_server(
    tmp_path: Path, config: dict[str, Any], seconds: float
) -> None:
    app = Flask("site", instance_path=str(tmp_path))
    app.config.update(GOOD, **config)
    assert read_config(app).deadline == seconds * 1_000_000


def test_a_folder_that_can_not_be_written_stops_the_start(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(ConfigurationError, match="file"):
        start(blocked / "instance", **GOOD)


def test_the_environment_is_read_where_the_configuration_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTHGUARD_SECRET", "e" * 32)
    monkeypatch.setenv("AUTHGUARD_STORE", "memory://")
    start(tmp_path)


def test_a_second_guard_on_one_application_is_refused(tmp_path: Path) -> None:
    app = Flask("site", instance_path=str(tmp_path))
    app.config.update(GOOD)
    AuthGuard(app)
    with pytest.raises(ConfigurationError, match="once"):
        AuthGuard(app)


def test_a_policy_file_in_the_instance_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "authguard.toml").write_text('[policies.login.layers.account]\nlimit = "5/1x"\n')
    with pytest.raises(ConfigurationError, match=r"authguard\.toml.*policies\.login\.layers\.account"):
        start(tmp_path, **GOOD)


def test_a_file_of_policies_where_nobody_looks_stops_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    stray = tmp_path / "authguard.toml"
    stray.write_text('[policies.login.layers.account]\nlimit = "3/15m"\n')
    app = Flask("flask", instance_path=str(tmp_path / "instance"))  # a package elsewhere, as an application's may be
    app.config.update(GOOD)
    with pytest.raises(ConfigurationError, match=r"authguard\.toml is not read; move it to .*/flask/authguard\.toml"):
        AuthGuard(app)
    app.config.update(AUTHGUARD_CONFIG=str(stray))
    assert str(read_config(app).file.policies["login"].layer("account").limit) == "3/15m"


def test_a_store_may_be_given_itself(tmp_path: Path) -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    site = Site(tmp_path, AUTHGUARD_STORE=store)
    answers = [guess(site, f"wrong{n}") for n in range(5)] + [guess(site, "right")]
    assert answers == [401] * 5 + [429]
    clock.advance(15 * 60 * 1_000_000)
    assert guess(site, "right") == 200
    assert site.app.extensions["authguard"].store is store


def guess(site: Site, password: str) -> int:
    return site.client().post("/login", data={"email": "owner@example.com", "password": password}).status_code
