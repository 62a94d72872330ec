"""Sprays seen by the share of failing accounts: raised, kept, ended, and never fooled by one's own logins."""

from __future__ import annotations

import pytest

from authguard.clock import SECOND
from authguard.events import AlarmEnded, AlarmRaised
from authguard.limits import Outcome
from authguard.login.census import Census
from authguard.login.detection import Detector, Sensitivity, Watchtower
from authguard.policy import PRESETS, Policy
from tests.guard.rig import Rig, subject
from tests.login.door_rig import Browser, DoorRig, offered

RULES = Sensitivity()


class Bench(Rig):
    """A detector and what it goes by, with a clock that stands still and a gate that is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.shut = 0
        self.tries = 0
        self.census = Census("login", [RULES.window], self.planner, self.resilient)
        self.detector = Detector(PRESETS["login"], self._shut, self.recorder, RULES, self.seconds)

    def seconds(self) -> float:
        return self.clock.now() / SECOND

    def wait(self, seconds: float) -> None:
        self.clock.advance(round(seconds * SECOND))

    def _shut(self, policy: Policy) -> None:
        self.shut += 1

    def _note(self, name: str, succeeded: bool) -> None:
        self.tries += 1
        tag = self.planner.tag("detection", name)
        for seen in self.census.note(
            tag, f"client {self.tries}", f"network {self.tries}", succeeded, self.seconds()
        ).values():
            self.detector.note(seen)

    def fail(self, count: int, kind: str = "victim") -> None:
        for number in range(count):
            self._note(f"{kind}{number}", False)

    def succeed(self, count: int, kind: str = "user") -> None:
        for number in range(count):
            self._note(f"{kind}{number}", True)

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
    bench.succeed(19, "victim")
    bench.fail(30, "other")
    assert bench.told() == ["AlarmRaised"]
    assert bench.recorder.events[0] == AlarmRaised("login", 20, 19, None)


def test_failures_older_than_the_window_are_forgotten() -> None:
    bench = Bench()
    bench.fail(19)
    bench.wait(RULES.window)
    bench.fail(19, "other")
    assert bench.told() == []


def test_the_alarm_ends_by_itself_when_the_failing_stay_away() -> None:
    bench = Bench()
    bench.fail(25)
    bench.wait(RULES.window)
    bench.succeed(1)
    assert bench.told() == ["AlarmRaised", "AlarmEnded"]
    assert bench.recorder.events[-1] == AlarmEnded("login")
    bench.wait(RULES.renewal * 3)
    bench.succeed(1)
    assert bench.shut == 1


def test_it_ends_when_the_failing_are_too_few_to_tell() -> None:
    bench = Bench()
    bench.fail(25)
    bench.wait(RULES.window)
    bench.fail(3, "other")
    assert bench.told() == ["AlarmRaised", "AlarmEnded"]


def test_an_account_that_came_through_does_not_fail_by_what_follows() -> None:
    bench = Bench()
    bench.succeed(40)
    bench.fail(40, "user")
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
    bench.wait(RULES.renewal)
    bench.fail(40)
    assert bench.shut == 2
    assert bench.told() == ["AlarmRaised"]


def test_the_operator_hears_how_many_names_were_unknown_and_nothing_depends_on_it() -> None:
    known, unknown = Bench(), Bench()
    for bench, exists in ((known, True), (unknown, False)):
        for number in range(25):
            bench.detector.note_password(exists)
            bench.fail(number + 1, "name")
    assert [event.unknown for event in known.recorder.events if isinstance(event, AlarmRaised)] == [0.0]
    assert [event.unknown for event in unknown.recorder.events if isinstance(event, AlarmRaised)] == [1.0]
    assert (known.told(), known.shut) == (unknown.told(), unknown.shut)


def test_the_ends_of_attempts_reach_the_detector_by_the_guard_and_the_gate_the_store() -> None:
    first = DoorRig()
    tower = Watchtower(first.planner, first.resilient)
    rig = DoorRig(store=first.store, watch=tower.watch)
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
    tower = Watchtower(rig.planner, rig.resilient)
    tower.man(PRESETS.values(), rig.guard.shut, rig.recorder)
    for number in range(200):
        own = subject(account="email:mallory@example.com", typed=f"mallory+{number}@example.com")
        tower.watch(PRESETS["login"], own, Outcome.SUCCESS)
    for number in range(20):
        tower.watch(PRESETS["login"], subject(account=f"u{number}", ip=f"198.51.{number}.7"), Outcome.FAILURE)
    assert any(isinstance(event, AlarmRaised) for event in rig.recorder.events)


@pytest.mark.parametrize("policy", ["otp-verify", "signup-confirm"])
def test_a_policy_without_a_gate_is_not_watched(policy: str) -> None:
    rig = DoorRig()
    tower = Watchtower(rig.planner, rig.resilient)
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
