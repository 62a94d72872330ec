"""The stage: what a replay supposes about devices, challenges, processes and logs that tell little."""

from __future__ import annotations

import pytest

from authguard.clock import SECOND
from authguard.errors import ConfigurationError
from authguard.limits import Algorithm, Counts, Limit, Mode
from authguard.login.replay.conditions import Attackers, Conditions, KnownDevices
from authguard.login.replay.record import Origin, Record
from authguard.login.replay.run import replay
from authguard.login.replay.stage import IDENTITY, Stage
from authguard.login.replay.tally import Fall, Fate
from authguard.policy import PRESETS, Layer, Policy, Scope

LOGIN = PRESETS["login"]
NOON = 1_541_073_600 * SECOND
HERE = "192.0.2.1"


def tries(count: int, succeeded: bool = False, origin: Origin = Origin.PEOPLE, address: str = HERE) -> list[Record]:
    """Return tries on as many accounts, a second apart."""
    return [Record(NOON + n * SECOND, address, f"user{n}", succeeded, origin) for n in range(count)]


def test_a_stranger_behind_two_who_failed_solves_a_challenge() -> None:
    stage = Stage(LOGIN, Conditions())
    falls = [stage.play(record) for record in tries(3)]
    assert falls == [Fall(Fate.PASSED), Fall(Fate.PASSED), Fall(Fate.SOLVED, ("accounts-an-address-at-once",))]


def test_a_known_device_is_not_asked() -> None:
    later = Record(NOON + 9 * SECOND, HERE, "owner", True)
    elsewhere = Record(NOON + 9 * SECOND, "198.51.100.1", "owner", True)
    for devices, first, fate in (
        (KnownDevices.PAIRS, HERE, Fate.PASSED),
        (KnownDevices.PAIRS, elsewhere.address, Fate.SOLVED),
        (KnownDevices.NONE, HERE, Fate.SOLVED),
    ):
        stage = Stage(LOGIN, Conditions(devices))
        stage.play(Record(NOON - SECOND, first, "owner", True))
        for record in tries(2):
            stage.play(record)
        assert stage.play(later).fate is fate


def test_a_failed_or_challenged_login_makes_no_device() -> None:
    stage = Stage(LOGIN, Conditions())
    for record in tries(2):
        stage.play(record)
    stage.play(Record(NOON + 8 * SECOND, HERE, "victim", True, Origin.ATTACK))
    assert stage.play(Record(NOON + 9 * SECOND, HERE, "victim", True, Origin.ATTACK)).fate is Fate.CHALLENGED


def test_another_browser_at_the_same_address_is_a_stranger() -> None:
    stage = Stage(LOGIN, Conditions())
    stage.play(Record(NOON - SECOND, HERE, "owner", True))
    for record in tries(2):
        stage.play(record)
    assert stage.play(Record(NOON + 9 * SECOND, HERE, "owner", True, device="new")).fate is Fate.SOLVED


def test_attackers_give_up_or_solve_until_solving_ends_too() -> None:
    gave_up = replay(LOGIN, tries(100, origin=Origin.ATTACK))
    assert (gave_up.attack.passed, gave_up.attack.challenged, gave_up.attack.denied) == (2, 98, 0)
    solved = replay(LOGIN, tries(100, origin=Origin.ATTACK), Conditions(attackers=Attackers.SOLVE))
    assert (solved.attack.passed, solved.attack.challenged, solved.attack.denied) == (62, 60, 38)
    assert solved.attack.layers["challenged-an-address"] == 38


def test_four_workers_see_an_attack_as_soon_as_one() -> None:
    botnet = [Record(NOON + n * SECOND, f"20.{n}.0.1", f"user{n}", False, Origin.ATTACK) for n in range(200)]
    assert replay(LOGIN, botnet).attack.passed == 10
    assert replay(LOGIN, botnet, Conditions(workers=4)).attack.passed == 10


def test_the_warm_up_is_played_and_not_counted() -> None:
    report = replay(LOGIN, tries(4), Conditions(warm_up=2 * SECOND))
    assert (report.people.tries, report.people.challenged) == (2, 2)


def test_what_a_log_does_not_tell_is_left_out_and_named() -> None:
    nameless = [Record(NOON + n * SECOND, HERE, None, False) for n in range(25)]
    report = replay(LOGIN, nameless)
    assert {"account", "accounts-an-address", "alarm", "same-secret"} <= set(report.left_out)
    assert not {"address", "subnet", "attempts-an-address"} & set(report.left_out)
    assert report.layers == ("address",)
    assert report.people.challenged == 5
    assert any("not replayed" in line for line in report.lines())


def test_a_log_that_tells_nothing_of_a_policy_is_refused() -> None:
    policy = Policy("p", (Layer("keys", (Scope.API_KEY,), Limit.parse("1/1h")),))
    with pytest.raises(ConfigurationError, match="says nothing"):
        replay(policy, tries(1))


def test_an_account_that_can_t_be_read_is_refused_and_told() -> None:
    report = replay(LOGIN, [Record(NOON, HERE, "@", False), *tries(1)])
    assert (report.people.denied, report.people.passed) == (1, 1)
    assert report.layers == (IDENTITY,)


def test_an_address_that_no_client_has_stands_for_itself() -> None:
    report = replay(LOGIN, tries(5, address="239.1.2.3"))
    assert report.people.challenged == 3


def test_a_refusal_that_no_challenge_opens_is_a_denial() -> None:
    limit = Limit.parse("2/1h", Algorithm.DISTINCT)
    layer = Layer("strict", (Scope.IP,), limit, Counts.FAILURES, Mode.ENFORCE, distinct=Scope.ID)
    report = replay(Policy("p", (layer,)), tries(5))
    assert (report.people.passed, report.people.denied, report.people.challenged) == (2, 3, 0)
    assert report.as_json()["layers"] == {"strict": {"attack": 0, "people": 3}}
