"""The same door before every store: what is raced for is had once, and what is looked at is not charged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager
from threading import Barrier
from typing import Any

import pytest

from authguard.guard import Attempt, Seal, WaitingRoom
from authguard.identity import Pseudonymizer
from authguard.login.census import Census, Headcount
from authguard.login.challenge import FIRST_WAIT, Context, DelayChallenger
from authguard.policy import PRESETS
from authguard.stores import open_store
from authguard.testing import StoreUnderTest
from tests.login.door_rig import SECRET, Browser, DoorRig, offered
from tests.servers.redis import RedisServer
from tests.stores.harnesses import PATIENT, memory, sqlite

HERE: dict[str, Any] = {"ip": "203.0.113.5"}
OWNER = "typed:email:owner@example.com"


class Patient(DelayChallenger):
    """A challenger whose clients have waited already: a real server's time can't be moved."""

    def check(self, answer: str, context: Context, now: int) -> str | None:
        return super().check(answer, context, now + FIRST_WAIT)


class StoreRig(DoorRig):
    """A rig over a store under test, with room to wait for everybody."""

    def __init__(self, tested: StoreUnderTest) -> None:
        challenger = Patient(Seal([SECRET], app="test", purpose="challenge"), Pseudonymizer(SECRET, app="test"))
        waiting = WaitingRoom(threads=256, an_address=32)
        super().__init__(store=tested.store, challenger=challenger, waiting=waiting)
        self.advance = tested.advance


@contextmanager
def redis() -> Iterator[StoreUnderTest]:
    """Give a store on a server of its own, whose time goes on by itself."""
    with RedisServer() as server, closing(open_store(server.url, deadline=PATIENT)) as store:
        yield StoreUnderTest(store, lambda microseconds: None, lambda: None)


STORES: dict[str, Callable[[], AbstractContextManager[StoreUnderTest]]] = {
    "memory": memory,
    "sqlite": sqlite,
    "redis": redis,
}


@pytest.fixture(params=list(STORES))
def rig(request: pytest.FixtureRequest) -> Iterator[StoreRig]:
    with STORES[request.param]() as tested:
        yield StoreRig(tested)


def at_once(count: int, begin: Callable[[int], Attempt]) -> list[Attempt]:
    """Begin ``count`` attempts at the same moment."""
    barrier = Barrier(count)

    def run(number: int) -> Attempt:
        barrier.wait(30)
        return begin(number)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))


def test_one_token_at_once_is_one_try(rig: StoreRig) -> None:
    rig.burn()
    token = offered(rig.guess("x", **HERE)).token
    tries = at_once(20, lambda n: rig.begin(f"guess{n}", answer=token, **HERE))
    assert sum(each.allowed for each in tries) == 1


def test_twenty_valid_logins_of_one_client_at_once_all_pass(rig: StoreRig) -> None:
    tries = at_once(20, lambda n: rig.log_in(**HERE))
    assert all(each.allowed for each in tries)
    assert sum(rig.guess(f"wrong{n}", **HERE).allowed for n in range(7)) == 5


def test_twenty_valid_logins_of_one_device_at_once_all_pass_while_strangers_burn(rig: StoreRig) -> None:
    browser = Browser()
    rig.log_in(browser)
    rig.burn()
    assert all(each.allowed for each in at_once(20, lambda n: rig.log_in(browser.copy(), **HERE)))


def test_valid_logins_of_many_clients_wait_for_each_other(rig: StoreRig) -> None:
    tries = at_once(12, lambda n: rig.log_in(ip=f"192.0.{n}.1"))
    assert all(each.allowed for each in tries)


def test_of_forty_guesses_at_once_five_are_looked_at(rig: StoreRig) -> None:
    tries = at_once(40, lambda n: rig.guess(f"wrong{n}", ip=f"192.0.{n}.1"))
    assert sum(each.allowed for each in tries) == 5


def test_a_revocation_is_seen_by_the_next_login(rig: StoreRig) -> None:
    browser = Browser()
    rig.log_in(browser)
    for _ in range(2):
        rig.advance(1)
        rig.devices.revoke(OWNER)
    rig.burn()
    assert not rig.guess("x", browser, **HERE).allowed
    fresh = Browser()
    for crumb in rig.devices.mint(OWNER, rig.devices.revoke(OWNER), ()):
        fresh.jar[crumb.name] = crumb.value
    assert rig.log_in(fresh, **HERE).allowed


def test_a_gate_is_shut_for_every_stranger_and_no_device(rig: StoreRig) -> None:
    browser = Browser()
    rig.log_in(browser)
    for _ in range(3):
        rig.guard.shut(PRESETS["login"])
    refused = rig.guess("x", account="email:anybody@example.com", **HERE)
    assert refused.decision is not None
    assert refused.decision.denied == ("alarm",)
    assert rig.log_in(answer=offered(refused).token, account="email:anybody@example.com", **HERE).allowed
    assert rig.log_in(browser).allowed


def test_a_spray_of_one_secret_is_stepped_up(rig: StoreRig) -> None:
    tries = [rig.guess("winter", account=f"email:u{n}@example.com", ip=f"10.{n}.0.1") for n in range(40)]
    assert [each.allowed for each in tries] == [True] * 30 + [False] * 10


def test_four_processes_see_twenty_failing_accounts_together(rig: StoreRig) -> None:
    processes = [Census("login", [300.0], rig.planner, rig.resilient) for _ in range(4)]
    tags = [rig.planner.tag("detection", f"u{n % 20}") for n in range(24)]
    seen = [processes[n % 4].note(tags[n], f"client{n}", f"network{n}", n >= 20, 0.0) for n in range(24)]
    assert seen[-1] == {300.0: Headcount(16, 4)}


def test_four_processes_hear_of_three_failing_accounts_from_one_network(rig: StoreRig) -> None:
    processes = [Census("login", [300.0, 3600.0], rig.planner, rig.resilient) for _ in range(4)]
    tags = [rig.planner.tag("detection", f"u{n}") for n in range(12)]
    seen = [processes[n % 4].note(tags[n], f"client{n}", "network", False, 0.0) for n in range(12)]
    assert seen[-1] == dict.fromkeys((300.0, 3600.0), Headcount(3, 0))
