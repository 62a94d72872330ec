"""What a client of the whole application is told while the Redis behind it is dead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from authguard.events import Settled, StoreFaulted
from tests.flask.site import Site
from tests.guard.rig import Recorder
from tests.servers.redis import RedisServer


@pytest.fixture
def server() -> Iterator[RedisServer]:
    with RedisServer() as running:
        yield running


def site(folder: Path, server: RedisServer, mode: str, workers: int = 4, **more: Any) -> Site:
    (folder / "authguard.toml").write_text(f'[policies.login]\nfail_mode = "{mode}"\n')
    return Site(folder, AUTHGUARD_STORE=server.url, AUTHGUARD_DEADLINE="5s", AUTHGUARD_WORKERS=workers, **more)


def statuses(site: Site, *passwords: str) -> list[int]:
    client = site.client()
    return [
        client.post("/login", data={"email": "owner@example.com", "password": each}).status_code for each in passwords
    ]


@pytest.mark.parametrize(("workers", "guesses"), [(1, 5), (2, 2), (4, 1)])
def test_local_allows_the_share_of_one_worker(tmp_path: Path, server: RedisServer, workers: int, guesses: int) -> None:
    guarded = site(tmp_path, server, "local", workers)
    server.kill()
    assert statuses(guarded, *(f"wrong{n}" for n in range(7))) == [401] * guesses + [429] * (7 - guesses)


def test_local_lets_the_owner_in(tmp_path: Path, server: RedisServer) -> None:
    guarded = site(tmp_path, server, "local")
    server.kill()
    assert statuses(guarded, "right", "right", "wrong", "wronger") == [200, 200, 401, 429]


def test_closed_is_our_fault_and_says_when_to_come_back(tmp_path: Path, server: RedisServer) -> None:
    guarded = site(tmp_path, server, "closed")
    assert statuses(guarded, "wrong") == [401]
    server.kill()
    answer = guarded.client().post("/login", data={"email": "owner@example.com", "password": "right"})
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) >= 1


def test_a_login_whose_store_dies_under_it_goes_through(
    tmp_path: Path, server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder()
    guarded = site(tmp_path, server, "local", observers=[recorder])
    verify = guarded.passwords.verify

    def die(*arguments: Any, **options: Any) -> bool:
        server.kill()
        return verify(*arguments, **options)

    monkeypatch.setattr(guarded.passwords, "verify", die)
    assert statuses(guarded, "right") == [200]
    assert StoreFaulted("redis", "settle", "unavailable") in recorder.events
    assert [event.settled for event in recorder.events if isinstance(event, Settled)] == [False]
