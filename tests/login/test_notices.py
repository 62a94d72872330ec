"""Notices: the owner hears once a day, and nobody else hears that there is an owner."""

from __future__ import annotations

from dataclasses import replace
from queue import Queue
from threading import Event

import pytest

from authguard.clock import SECOND
from authguard.events import OwnerNotice
from authguard.login.door import Visit
from authguard.login.notices import Notice, Notices
from authguard.policy import Scope
from tests.guard.rig import DeadStore, Rig, subject
from tests.login.door_rig import Browser, DoorRig

DAY = 86_400 * SECOND


def notices(rig: Rig) -> list[OwnerNotice]:
    return [event for event in rig.recorder.events if isinstance(event, OwnerNotice)]


def test_a_burnt_account_is_one_notice_a_day() -> None:
    rig = DoorRig()
    for _ in range(4):
        rig.burn()
    (notice,) = notices(rig)
    assert (notice.policy, notice.layers) == ("login", ("account",))
    assert "owner" not in notice.account


def test_another_spelling_is_no_other_account() -> None:
    rig = DoorRig()
    rig.burn()
    for number in range(20):
        assert not rig.guess("x", typed=f"owner+{number}@example.com", ip=f"203.0.{number}.1").allowed
    assert len(notices(rig)) == 1


def test_another_process_gives_no_second_notice_within_the_day_and_one_after_it() -> None:
    rig = DoorRig()
    rig.burn()
    for later, expected in ((DAY - SECOND, 1), (SECOND, 2)):
        rig.clock.advance(later)
        rig.notices._recent.clear()  # as in another process
        rig.burn()
        assert len(notices(rig)) == expected


def test_wrong_guesses_within_the_limit_bother_nobody() -> None:
    rig = DoorRig()
    for number in range(4):
        rig.guess(f"wrong{number}")
    assert notices(rig) == []


def test_full_addresses_and_an_alarm_are_no_account_s_business() -> None:
    rig = DoorRig()
    for number in range(30):
        rig.guess("x", account=f"email:u{number}@example.com")
    rig.guard.shut(rig.guard.policy("login"))
    rig.guess("x", account="email:u99@example.com", ip="203.0.113.9")
    assert notices(rig) == []


def test_a_mailbox_that_has_its_account_is_nobody_s_attack() -> None:
    rig = DoorRig()
    who = replace(subject(), values={**subject().values, Scope.DOMAIN: "example.com"})
    rig.door.attempt("signup-confirm", Visit(who)).fail()
    assert rig.door.attempt("signup-confirm", Visit(who)).refused is not None
    assert notices(rig) == []


def test_a_stolen_cookie_s_guesses_and_those_under_another_name_are_told() -> None:
    rig = DoorRig()
    browser = Browser()
    rig.log_in(browser)
    for number in range(7):
        rig.guess(f"wrong{number}", browser)
    assert [notice.layers for notice in notices(rig)] == [("account-known", "authenticator-known")]
    other = DoorRig()
    for number in range(5):
        other.guess(f"wrong{number}", account="username:owner", behind="account:7", ip=f"198.51.{number}.7")
    assert other.guess("x", account="email:owner@example.com", behind="account:7").blind
    assert [notice.layers for notice in notices(other)] == [("authenticator",)]


def test_the_application_is_told_whose_account_on_another_thread() -> None:
    told: Queue[Notice] = Queue()
    rig = DoorRig(deliver=told.put)
    rig.burn(account="username:owner", behind="account:7")
    assert told.get(timeout=10) == Notice("7", "login")


def test_a_name_without_an_account_takes_the_same_way_and_is_told_to_nobody() -> None:
    told: Queue[Notice] = Queue()
    rig = DoorRig(deliver=told.put)
    rig.notices._resolves = True
    rig.burn(account="username:nobody")
    rig.burn(account="username:owner", behind="account:7")
    assert told.get(timeout=10).account == "7"
    assert told.empty()
    assert len(notices(rig)) == 1
    # Both were asked about and both were sent on their way.
    assert len(rig.notices._recent) == 2


def test_a_delivery_that_fails_or_hangs_stops_no_request_and_no_later_one(caplog: pytest.LogCaptureFixture) -> None:
    done: Queue[str] = Queue()
    release = Event()

    def deliver(notice: Notice) -> None:
        release.wait(10)
        done.put(notice.account)
        if notice.account == "1":
            raise RuntimeError("the mail server is down")

    rig = DoorRig(deliver=deliver)
    for number in (1, 2):
        rig.burn(account=f"username:u{number}", behind=f"account:{number}")
    assert done.empty()
    release.set()
    assert [done.get(timeout=10), done.get(timeout=10)] == ["1", "2"]
    assert "not delivered" in caplog.text


def test_a_notice_that_finds_no_place_is_not_the_one_of_that_day() -> None:
    first, go_on, told = Event(), Event(), Queue[str]()

    def deliver(notice: Notice) -> None:
        first.set()
        go_on.wait(20)
        told.put(notice.account)

    rig = DoorRig(deliver=deliver)

    def guess(times: int, name: str, network: int) -> None:
        for number in range(times):
            rig.guess(f"{name} {number}", account=f"email:{name}", behind=f"account:{name}", ip=f"198.18.{network}.7")

    for number in range(100):
        guess(6, str(number), number)
    assert first.wait(20)
    guess(6, "owner", 200)
    go_on.set()
    assert "owner" not in [told.get(timeout=20) for _ in range(100)]
    guess(1, "owner", 201)
    assert told.get(timeout=20) == "owner"


def test_what_is_remembered_is_bounded() -> None:
    rig = DoorRig()
    for number in range(5000):
        assert rig.notices._is_news(f"typed:{number}")
    assert len(rig.notices._recent) <= 4096


def test_without_a_store_there_is_no_notice_and_no_error() -> None:
    rig = Rig(store=DeadStore())
    silent = Notices(rig.resilient, rig.pseudonymizer, rig.recorder)
    assert not silent._is_news("account:1")
