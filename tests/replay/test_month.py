"""The recorded month: simple policies do to it what is known of them, and the shipped one does better."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count

import pytest

from authguard.login.replay.conditions import Attackers, Conditions, KnownDevices
from authguard.login.replay.record import Origin
from authguard.login.replay.run import replay
from authguard.login.replay.yardsticks import YARDSTICKS
from authguard.policy import PRESETS
from tests.replay.month import month, report

KNOWN = {
    "none": (10_440, 1_756),
    "account 5 failures/15m": (10_421, 1_756),
    "address 5 failures/1m": (1_253, 206),
    "address 10 failures/15m": (835, 134),
    "3 distinct failing accounts an address an hour": (445, 65),
}
"""Tries that pass and takeovers, worked out from the log without any of this code."""
LOGIN = PRESETS["login"]
SOME = 3_000

# Tracing doubles what so many logins cost; the other files here cover the same code.
pytestmark = pytest.mark.untraced


def test_the_month_is_read_whole() -> None:
    assert Counter(record.origin for record in month()) == {Origin.ATTACK: 10_440, Origin.PEOPLE: 2_396}


@pytest.mark.parametrize("name", dict(YARDSTICKS))
def test_a_simple_policy_lets_through_what_is_known(name: str) -> None:
    found = report(name)
    assert (found.attack.passed, found.attack.successes) == KNOWN[name]
    assert (found.people.denied, found.people.challenged) == (0, 0)
    assert found.people.passed == 2_396


@pytest.mark.parametrize("devices", KnownDevices)
def test_the_shipped_policy_is_better_and_bothers_nobody(devices: KnownDevices) -> None:
    found = report("login") if devices is KnownDevices.PAIRS else replay(LOGIN, month(), Conditions(devices))
    assert found.attack.passed <= 300
    assert found.attack.successes <= 43
    assert (found.people.denied, found.people.challenged) == (0, 0)
    assert found.left_out == ("same-secret",)


@pytest.mark.parametrize("per_address", [1, 3, 5])
def test_the_month_s_attacks_from_many_addresses_are_stopped_too(per_address: int) -> None:
    attacks = count()
    records = [
        record if record.origin is Origin.PEOPLE else replace(record, address=address(next(attacks) // per_address))
        for record in month()[:SOME]
    ]
    found = replay(LOGIN, records)
    assert found.attack.passed < found.attack.tries / 6
    assert found.people.denied == 0
    assert len(found.people.challenged_accounts) <= 2


def address(number: int) -> str:
    """Return an address in a network of its own."""
    return f"20.{number // 256}.{number % 256}.9"


def test_a_solved_challenge_is_worth_something_and_not_everything() -> None:
    found = replay(LOGIN, month()[:SOME], Conditions(attackers=Attackers.SOLVE))
    assert 100 < found.attack.passed < found.attack.tries / 2
    assert found.attack.layers["challenged-an-address"] == found.attack.denied > 0
