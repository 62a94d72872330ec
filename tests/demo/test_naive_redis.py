"""The naive counters over Redis: each makes its one mistake, and the one they are made from makes none of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from demo_app.naive.fresh_memory import FreshMemoryCounter
from demo_app.naive.hoping import HopingCounter
from demo_app.naive.loaded_once import ScriptCounter
from demo_app.naive.lost_writes import ReadingCounter
from demo_app.naive.redis_counter import RedisCounter
from tests.servers.redis import RedisServer

KINDS = (RedisCounter, HopingCounter, ReadingCounter, ScriptCounter, FreshMemoryCounter)


@pytest.fixture
def server() -> Iterator[RedisServer]:
    """Return a server of the test's own."""
    with RedisServer() as running:
        yield running


@pytest.fixture(autouse=True)
def _one_window() -> Iterator[None]:
    """Stop the clock that windows begin by."""
    with patch("demo_app.naive.redis_counter.time.time", return_value=1_000_000.0):
        yield


def guess(naive: RedisCounter, right: bool = False) -> str:
    """Make a guess; return what came of it."""
    try:
        with naive.attempt("login", id="alice", secret="a guess") as attempt:
            if right:
                attempt.succeed()
    except TooManyRequests:
        return "denied"
    except ServiceUnavailable:
        return "busy"
    return "reached"


@pytest.mark.parametrize("kind", KINDS)
def test_in_good_times_each_admits_five_failures_and_forgives_a_success(
    kind: type[RedisCounter], server: RedisServer
) -> None:
    naive = kind(server.url, None)
    assert [guess(naive, right) for right in (False, True, False, False, False, False, False)] == [
        *["reached"] * 6, "denied",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [(RedisCounter, "busy"), (ReadingCounter, "busy"), (ScriptCounter, "busy"), (HopingCounter, "reached")],
)
def test_without_a_server_only_the_hoping_counter_is_open(
    kind: type[RedisCounter], outcome: str, server: RedisServer
) -> None:
    naive = kind(server.url, None)
    server.kill()
    assert {guess(naive) for _ in range(8)} == {outcome}


@pytest.mark.parametrize(("kind", "outcome"), [(RedisCounter, "busy"), (ReadingCounter, "reached")])
def test_on_a_replica_only_the_reading_counter_is_open(
    kind: type[RedisCounter], outcome: str, server: RedisServer
) -> None:
    naive = kind(server.url, None)
    naive.redis.execute_command("REPLICAOF", "127.0.0.1", "1")
    assert {guess(naive) for _ in range(8)} == {outcome}


@pytest.mark.parametrize(("kind", "reached"), [(RedisCounter, 5), (ScriptCounter, 8)])
def test_after_a_flush_of_scripts_only_the_script_counter_is_open(
    kind: type[RedisCounter], reached: int, server: RedisServer
) -> None:
    naive = kind(server.url, None)
    naive.redis.script_flush()
    assert [guess(naive) for _ in range(8)].count("reached") == reached


def test_each_outage_gives_the_fresh_memory_another_budget(server: RedisServer) -> None:
    naive = FreshMemoryCounter(server.url, None)
    reached = 0
    for _ in range(3):
        server.kill()
        reached += [guess(naive) for _ in range(8)].count("reached")
        server.start()
        naive.release("somebody else")
        naive.admit("somebody else")
    assert reached == 15
