"""Nobody is locked out by a stranger: what blocks end, what they arm again, and whom they concern."""

from __future__ import annotations

from dataclasses import replace
from threading import Event
from time import monotonic
from typing import Any

from authguard.clock import SECOND
from authguard.guard import Attempt, WaitingRoom
from authguard.guard.ruling import Refusal
from authguard.limits import Mode
from authguard.policy import PRESETS, Subject
from authguard.policy.toml import read_policies
from tests.guard.rig import subject
from tests.login.door_rig import Browser, DoorRig, offered

MINUTE = 60 * SECOND
OFFICE: dict[str, Any] = {"ip": "203.0.113.5"}


def test_after_a_block_the_counter_is_armed_again() -> None:
    rig = DoorRig()
    passed = 0
    for number in range(40):
        passed += rig.guess(f"wrong{number}", ip=f"192.0.{number}.1").allowed
        rig.clock.advance(MINUTE)
    # 40 minutes hold three windows of 15, the last of them begun.
    assert passed == 15


def test_knocking_extends_nothing() -> None:
    quiet, knocked = DoorRig(), DoorRig()
    for rig in (quiet, knocked):
        rig.burn()
    for number in range(14 * 60):
        knocked.guess(f"knock{number}", ip=f"10.{number % 250}.{number // 250}.1")
        for rig in (quiet, knocked):
            rig.clock.advance(SECOND)
    for rig in (quiet, knocked):
        rig.clock.advance(MINUTE)
        assert rig.log_in(ip="192.0.2.50").allowed


def test_three_invented_names_an_hour_block_nobody_in_an_office() -> None:
    rig = DoorRig()
    colleague = Browser()
    assert rig.log_in(colleague, account="email:colleague@example.com", **OFFICE).allowed
    for number in range(3):
        rig.guess("x", account=f"email:invented{number}@example.com", **OFFICE)
        rig.clock.advance(10 * MINUTE)
    assert rig.log_in(colleague, account="email:colleague@example.com", **OFFICE).allowed
    newcomer: dict[str, Any] = {"account": "email:newcomer@example.com", **OFFICE}
    offer = offered(rig.log_in(**newcomer))
    rig.clock.advance(offer.wait)
    assert rig.log_in(answer=offer.token, **newcomer).allowed


def test_an_alias_s_success_clears_nothing_of_the_victim_s() -> None:
    rig = DoorRig()
    for number in range(4):
        rig.guess(f"wrong{number}", behind="account:1")
    alias: Subject = replace(subject(behind="account:2"), account="email:owner+alias@example.com")
    attempt = rig.guard.attempt("login", alias, "right")
    attempt.succeed()
    assert [rig.guess(f"again{n}", behind="account:1").allowed for n in range(2)] == [True, False]


def test_the_second_factor_s_guesses_are_not_refilled_by_the_right_password() -> None:
    rig = DoorRig()
    looked_at = 0
    for number in range(60):
        first = rig.begin("right", **OFFICE)
        if not first.allowed:
            break
        first.partial()
        second = rig.begin(f"000{number}", policy="otp-verify", **OFFICE)
        second.fail()
        looked_at += second.allowed
    assert looked_at <= 20


def test_routes_that_share_a_verifier_share_its_budget() -> None:
    change = """
[policies.password-change]
[policies.password-change.layers.account]
scope = "id"
limit = "5/15m"
counts = "failures"
mode = "step-up"
lane = "strangers"
share = "password"
[policies.password-change.layers.device]
scope = ["id", "device"]
limit = "5/15m"
counts = "failures"
lane = "known"
share = "password"
[policies.login.layers.account]
share = "password"
[policies.login.layers.account-known]
share = "password"
"""
    for policies in (read_policies(change), PRESETS):
        routes = ("login", "password-change") if policies is not PRESETS else ("login", "login")
        rig = DoorRig(policies)
        tries: list[Attempt] = []
        for number in range(8):
            tries.append(rig.begin(f"wrong{number}", policy=routes[number % 2], ip=f"192.0.{number}.1"))
            tries[-1].fail()
        assert sum(each.allowed for each in tries) == 5


def test_a_visit_waits_no_longer_than_it_may_however_often_it_is_decided() -> None:
    class Impatient(WaitingRoom):
        """Counts how often somebody waits, and for how long in all."""

        waited = 0.0

        def pause(self) -> None:
            started = monotonic()
            super().pause()
            self.waited += monotonic() - started

    room = Impatient(threads=8)
    rig = DoorRig(waiting=room)
    pending = [rig.begin(f"s{n}", ip=f"198.51.{n}.7") for n in range(5)]
    until = monotonic() + 0.2
    refused = rig.guard.attempt("login", subject(**OFFICE), "right", (), until).refused
    assert refused is not None
    assert refused.refusal is Refusal.BUSY
    assert 0.0 < room.waited < 3.0
    for attempt in pending:
        attempt.succeed()
    late = rig.guard.attempt("login", subject(**OFFICE), "right", (), until)
    assert late.allowed


def test_places_to_wait_are_the_address_s_and_not_the_device_s() -> None:
    entered: list[str] = []

    class Noting(WaitingRoom):
        """Notes whose places are taken."""

        def enter(self, client: str) -> Any:
            entered.append(client)
            return super().enter(client)

    rig = DoorRig(waiting=Noting(threads=1))
    browser = Browser()
    rig.log_in(browser)
    held = [rig.begin(f"s{n}", browser) for n in range(5)]
    assert not rig.begin("right", browser, **OFFICE).allowed
    assert entered == ["203.0.113.5/32"]
    assert len(held) == 5


def test_what_steps_up_is_never_the_last_word_for_an_account() -> None:
    login = PRESETS["login"]
    refusing = {layer.name for layer in login.layers if layer.mode is Mode.ENFORCE and layer.lane == "strangers"}
    assert refusing == {"attempts", "attempts-an-address"}


def test_a_notice_does_not_hold_the_answer_up() -> None:
    release = Event()
    rig = DoorRig(deliver=lambda notice: release.wait(10))
    started = monotonic()
    rig.burn()
    assert monotonic() - started < 5
    release.set()


def test_it_takes_ten_accounts_known_at_an_address_to_keep_its_other_known_devices_waiting() -> None:
    rig = DoorRig()
    victim = Browser()
    rig.log_in(victim, **OFFICE)
    for number in range(10):
        browser, own = Browser(), {"account": f"email:own{number}@example.com"}
        rig.log_in(browser, ip=f"198.51.{number}.3", **own)
        assert rig.log_in(victim, **OFFICE).allowed
        for _ in range(30):
            rig.log_in(browser, **own, **OFFICE)
    assert not rig.log_in(victim, **OFFICE).allowed
    assert rig.log_in(victim, ip="192.0.2.50").allowed


def test_what_keeps_a_new_browser_out_leaves_it_another_address() -> None:
    rig = DoorRig()
    known = Browser()
    rig.log_in(known, **OFFICE)
    for _ in range(30):
        rig.guess("the same again", **OFFICE)
    refused = rig.log_in(**OFFICE).refused
    assert refused is not None
    assert (refused.refusal, refused.offer) == (Refusal.RATE, None)
    assert rig.log_in(**{**OFFICE, "account": "email:colleague@example.com"}).allowed
    assert rig.log_in(known, **OFFICE).allowed
    assert rig.log_in(ip="192.0.2.50").allowed
