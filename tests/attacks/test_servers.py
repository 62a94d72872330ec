"""The attacks' own Redis: it answers, hangs, goes on, dies and comes back empty."""

from __future__ import annotations

import pytest
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import TimeoutError as TooSlow

import attacks.servers
from attacks.servers import ServerFailed, run_redis


def test_it_hangs_goes_on_dies_and_comes_back_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    with run_redis(()) as server:
        server.ask("SET", "a", "b")
        monkeypatch.setattr(attacks.servers, "STOP", 0.1)
        server.freeze()
        with pytest.raises(TooSlow):
            server.ask("GET", "a")
        server.thaw()
        monkeypatch.undo()
        assert server.ask("GET", "a") == b"b"
        server.kill()
        with pytest.raises(Unreachable):
            server.ask("GET", "a")
        server.start()
        assert server.ask("GET", "a") is None
    with pytest.raises(Unreachable):
        server.ask("PING")


def test_one_that_hangs_ends_with_the_block() -> None:
    with run_redis(()) as server:
        server.freeze()
    with pytest.raises(Unreachable):
        server.ask("PING")


def test_options_that_it_does_not_take_are_said() -> None:
    with pytest.raises(ServerFailed), run_redis(("--no-such-option", "1")):
        pass


def test_it_stays_on_this_machine() -> None:
    with run_redis(()) as server:
        assert server.ask("CONFIG", "GET", "bind") in ({b"bind": b"127.0.0.1"}, [b"bind", b"127.0.0.1"])
