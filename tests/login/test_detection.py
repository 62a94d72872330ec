"""Sprays seen by the share of failing accounts: raised, kept, ended, and never fooled by one's own logins."""

from __future__ import annotations

import random
from typing import Any

import pytest

from authguard.events import AlarmEnded, AlarmRaised
from authguard.limits import Outcome
from authguard.login.detection import Detector, Sensitivity, Watchtower
from authguard.login.sample import Sample
from authguard.policy import PRESETS, Policy
from tests.guard.rig import Recorder, subject
from tests.login.door_rig import Browser, DoorRig, offered

RULES = Sensitivity()


class Bench:
    """A detector with a clock that stands still and a gate that is counted."""

    def __init__(self, **rules: Any) -> None:
        self.now = 1000.0
        self.shut = 0
        self.recorder = Recorder()
        self.detector = Detector(PRESETS["login"], self._shut, self.recorder, Sensitivity(**rules), lambda: self.now)

    def _shut(self, policy: Policy) -> None:
        self.shut += 1

    def fail(self, count: int, kind: str = "victim") -> None:
        for number in range(count):
            self.detector.note(f"{kind}{number:05}".encode()[::-1], False)

    def succeed(self, count: int, kind: str = "user") -> None:
        for number in range(count):
            self.detector.note(f"{kind}{number:05}".encode()[::-1], True)

    def told(self) -> list[str]:
        return [type(event).__name__ for event in self.recorder.events]


def test_twenty_failing_accounts_raise_the_alarm_and_nineteen_do_not() -> None:
    bench = Bench()
    bench.fail(19)
    assert bench.told() == []
    bench.fail(20)
    assert bench.recorder.events == [AlarmRaised("login", 20, 0, None)]
    assert bench.shut == 1


def test_thirty_percent_is_not_above_thirty() -> None:
    bench = Bench()
    bench.succeed(70)
    bench.fail(30)
    assert bench.told() == []
    bench.fail(31)
    assert bench.told() == ["AlarmRaised"]


def test_one_s_own_logins_dilute_nothing() -> None:
    bench = Bench()
    for _ in range(100):
        bench.succeed(3, "attacker's own ")
    bench.fail(20)
    assert bench.told() == ["AlarmRaised"]


def test_one_account_failing_a_hundred_times_is_one() -> None:
    bench = Bench()
    for _ in range(100):
        bench.fail(1)
    assert bench.told() == []


def test_who_mistypes_and_then_gets_in_has_not_failed() -> None:
    bench = Bench()
    bench.fail(19)
    for number in range(19):
        bench.detector.note(f"victim{number:05}".encode()[::-1], True)
    bench.fail(30, "other")
    assert bench.told() == ["AlarmRaised"]
    assert bench.recorder.events[0] == AlarmRaised("login", 20, 19, None)


def test_failures_older_than_the_window_are_forgotten() -> None:
    bench = Bench()
    bench.fail(19)
    bench.now += RULES.window
    bench.fail(19, "other")
    assert bench.told() == []


def test_the_alarm_ends_by_itself_when_the_failing_stay_away() -> None:
    bench = Bench()
    bench.fail(25)
    bench.now += RULES.window
    bench.succeed(1)
    assert bench.told() == ["AlarmRaised", "AlarmEnded"]
    assert bench.recorder.events[-1] == AlarmEnded("login")
    bench.now += RULES.renewal * 3
    bench.succeed(1)
    assert bench.shut == 1


def test_it_ends_when_the_failing_are_too_few_to_tell() -> None:
    bench = Bench()
    bench.fail(25)
    bench.now += RULES.window
    bench.fail(3, "other")
    assert bench.told() == ["AlarmRaised", "AlarmEnded"]


def test_an_account_that_came_through_does_not_fail_by_what_follows() -> None:
    bench = Bench()
    bench.succeed(40)
    for number in range(40):
        bench.detector.note(f"user{number:05}".encode()[::-1], False)
    assert bench.told() == []


def test_it_ends_below_fifteen_percent_and_not_at_twenty() -> None:
    bench = Bench()
    bench.fail(30)
    bench.succeed(120)
    assert bench.told() == ["AlarmRaised"]
    bench.succeed(180)
    assert bench.told() == ["AlarmRaised", "AlarmEnded"]


def test_while_it_stands_the_gate_is_shut_again_once_in_a_while() -> None:
    bench = Bench()
    bench.fail(40)
    assert bench.shut == 1
    bench.now += RULES.renewal
    bench.fail(40)
    assert bench.shut == 2
    assert bench.told() == ["AlarmRaised"]


def test_the_operator_hears_how_many_names_were_unknown_and_nothing_depends_on_it() -> None:
    known, unknown = Bench(), Bench()
    for bench, exists in ((known, True), (unknown, False)):
        for number in range(40):
            bench.detector.note_password(exists)
            bench.detector.note(f"name{number:05}".encode()[::-1], False)
    assert [event.unknown for event in known.recorder.events if isinstance(event, AlarmRaised)] == [0.0]
    assert [event.unknown for event in unknown.recorder.events if isinstance(event, AlarmRaised)] == [1.0]
    assert (known.told(), known.shut) == (unknown.told(), unknown.shut)


def test_a_flood_of_made_up_names_is_bounded_and_keeps_the_ratio() -> None:
    sample = Sample(300.0, 1024)
    dice = random.Random(7)
    for number in range(40_000):
        sample.note(dice.randbytes(7), number % 5 == 0, number / 1000)
        assert len(sample) <= 1024
        assert len(sample) == sample.failing + sample.succeeding
    assert 0.15 < sample.succeeding / len(sample) < 0.25


def test_after_a_flood_the_sample_takes_everybody_again() -> None:
    sample = Sample(300.0, 64)
    dice = random.Random(7)
    for _ in range(5000):
        sample.note(dice.randbytes(7), False, 0.0)
    for _ in range(40):
        sample.expire(1000.0)
    for _ in range(30):
        sample.note(dice.randbytes(7), False, 1000.0)
    assert sample.failing == 30


def test_the_ends_of_attempts_reach_the_detector_by_the_guard_and_the_gate_the_store() -> None:
    tower = Watchtower(DoorRig().planner)
    rig = DoorRig(watch=tower.watch)
    tower.man(PRESETS.values(), rig.guard.shut, rig.recorder)
    owner = Browser()
    rig.log_in(owner)
    for number in range(20):
        rig.guess("winter", account=f"email:u{number}@example.com", ip=f"198.51.{number}.7")
    assert any(isinstance(event, AlarmRaised) for event in rig.recorder.events)
    assert offered(rig.guess("right", account="email:u99@example.com")).kind == "delay"
    assert rig.log_in(owner).allowed


def test_an_account_is_one_however_it_is_spelled() -> None:
    rig = DoorRig()
    tower = Watchtower(rig.planner)
    tower.man(PRESETS.values(), rig.guard.shut, rig.recorder)
    for number in range(200):
        own = subject(account="email:mallory@example.com", typed=f"mallory+{number}@example.com")
        tower.watch(PRESETS["login"], own, Outcome.SUCCESS)
    for number in range(20):
        tower.watch(PRESETS["login"], subject(account=f"u{number}"), Outcome.FAILURE)
    assert any(isinstance(event, AlarmRaised) for event in rig.recorder.events)


def test_a_first_factor_alone_says_nothing() -> None:
    rig = DoorRig()
    tower = Watchtower(rig.planner)
    tower.man(PRESETS.values(), rig.guard.shut, rig.recorder)
    for number in range(60):
        tower.watch(PRESETS["login"], subject(account=f"u{number}"), Outcome.PARTIAL)
    assert rig.recorder.events == []


@pytest.mark.parametrize("policy", ["otp-verify", "signup-confirm"])
def test_a_policy_without_a_gate_is_not_watched(policy: str) -> None:
    rig = DoorRig()
    tower = Watchtower(rig.planner)
    tower.man(PRESETS.values(), rig.guard.shut, rig.recorder)
    for number in range(60):
        tower.watch(PRESETS[policy], subject(account=f"u{number}"), Outcome.FAILURE)
    assert rig.recorder.events == []


def test_a_spray_of_one_password_is_challenged_within_a_hundred_tries_and_its_accounts_are_not_blocked() -> None:
    rig = DoorRig()
    passed = 0
    for number in range(100):
        account, address = f"email:u{number}@example.com", f"10.{number}.1.7"
        passed += rig.guess("winter2026", account=account, ip=address).allowed
    assert passed == 30
    assert rig.log_in(account="email:u99@example.com", ip="192.0.2.1").allowed
