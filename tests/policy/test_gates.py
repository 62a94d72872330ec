"""What no request charges, and what counts secrets: gates and sketches."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.identity import Pseudonymizer
from authguard.limits import Algorithm, Counter, Limit, Verdict
from authguard.limits.plan import NO_GUESS
from authguard.policy import Layer, Planner, Policy, Scope, Subject
from authguard.policy.model import Unfit
from authguard.policy.toml import read_policies
from authguard.stores.memory import MemoryStore
from tests.policy.people import HOLD, LOGIN, OLD, PEPPER, STRANGER

MINUTE = 60 * SECOND
ALARM = LOGIN.layer("alarm")
CLOCK = ManualClock()
PLANNER = Planner(Pseudonymizer(PEPPER, app="tests"), CLOCK)


def somebody(number: int, **more: Any) -> Subject:
    """Return a subject with an account and a network of its own."""
    network = f"10.{number // 250}.{number % 250}.0/24"
    values = {Scope.ID: f"user{number}", Scope.AUTHENTICATOR: f"user{number}"}
    return Subject(values | dict.fromkeys((Scope.IP, Scope.SUBNET, Scope.SITE), network), network, f"u{number}", **more)


def sketched(planner: Planner, secret: str) -> Counter:
    """Return the counter of a tried secret."""
    return next(c for c in planner.plan(LOGIN, STRANGER, secret, HOLD).counters if c.layer == "same-secret")


def test_a_gate_is_open_until_it_is_shut_and_opens_by_itself() -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    for number in range(3):
        assert store.decide(PLANNER.plan(LOGIN, somebody(number), "x", HOLD)).allowed
    assert store.decide(PLANNER.shut(LOGIN, ALARM)).allowed
    denied = store.decide(PLANNER.plan(LOGIN, somebody(3), "x", HOLD))
    assert (denied.verdict, denied.denied, denied.retry_after) == (Verdict.CHALLENGE, ("alarm",), 10 * MINUTE)
    assert store.decide(PLANNER.plan(LOGIN, somebody(4, passed_challenge=True), "x", HOLD)).allowed
    clock.advance(10 * MINUTE)
    assert store.decide(PLANNER.plan(LOGIN, somebody(5), "x", HOLD)).allowed


def test_a_gate_shut_again_stays_shut_for_its_period_from_then() -> None:
    clock = ManualClock()
    store = MemoryStore(clock)
    for _ in range(4):
        assert store.decide(PLANNER.shut(LOGIN, ALARM)).allowed
        clock.advance(MINUTE)
    assert store.decide(PLANNER.plan(LOGIN, somebody(0), "x", HOLD)).retry_after == 9 * MINUTE


def test_one_secret_over_many_accounts_is_seen_and_another_is_not() -> None:
    store = MemoryStore(CLOCK)
    verdicts = [store.decide(PLANNER.plan(LOGIN, somebody(n), "winter", HOLD)).verdict for n in range(31)]
    assert verdicts == [Verdict.ALLOW] * 30 + [Verdict.CHALLENGE]
    assert store.decide(PLANNER.plan(LOGIN, somebody(40), "summer", HOLD)).allowed


def test_what_is_kept_of_a_secret_says_nothing_of_whose_it_was() -> None:
    store = MemoryStore(CLOCK)
    plan = PLANNER.plan(LOGIN, STRANGER, "winter", HOLD)
    assert store.decide(plan).allowed
    (key,) = (counter.key for counter in plan.counters if counter.layer == "same-secret")
    _, state = store._shelf.states[key]
    assert plan.client not in state
    assert plan.guess not in state
    assert state.endswith(NO_GUESS)
    members = {sketched(PLANNER, "winter").member for _ in range(8)}
    assert len(members) == 8


def test_a_secret_s_counter_is_another_each_day_and_the_same_under_a_new_pepper() -> None:
    clock = ManualClock()
    today = sketched(Planner(Pseudonymizer(OLD, app="tests"), clock), "winter")
    rotated = sketched(Planner(Pseudonymizer(PEPPER, app="tests", previous=[OLD]), clock), "winter")
    assert rotated.key != today.key
    assert rotated.previous == (today.key,)
    clock.advance(24 * 60 * MINUTE)
    assert sketched(Planner(Pseudonymizer(OLD, app="tests"), clock), "winter").key != today.key


def test_of_a_secret_a_million_values_are_told_apart_and_no_more() -> None:
    sketches = [PLANNER._sketch(f"secret {number}") for number in range(3000)]
    assert {len(sketch) for sketch in sketches} == {5}
    assert 2900 < len(set(sketches)) < 3000


def test_where_the_application_gives_no_secret_none_is_counted() -> None:
    assert "same-secret" not in {counter.layer for counter in PLANNER.plan(LOGIN, STRANGER, None, HOLD).counters}
    assert "same-secret" in {counter.layer for counter in PLANNER.plan(LOGIN, STRANGER, "", HOLD).counters}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"scopes": (Scope.IP,)}, "scope must be global"),
        ({"limit": Limit.parse("2/10m")}, "limit must be 1"),
        ({"share": "s"}, "gate counts nothing"),
    ],
)
def test_a_gate_that_can_not_work_is_refused(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(Unfit, match=reason):
        replace(ALARM, **change)


def test_secrets_are_counted_alone_as_failures_and_once() -> None:
    layer = LOGIN.layer("same-secret")
    for change in ({"scopes": (Scope.SECRET, Scope.ID)}, {"counts": "attempts"}, {"cost": 2}):
        with pytest.raises(Unfit):
            replace(layer, **change)
    with pytest.raises(Unfit, match="whose"):
        Layer("l", (Scope.IP,), replace(layer.limit, algorithm=Algorithm.DISTINCT), distinct=Scope.SECRET)
    (counter,) = PLANNER.plan(Policy("p", (layer,)), replace(STRANGER, costs={"same-secret": 7}), "x").counters
    assert counter.cost == 1


def test_a_gate_is_changed_and_made_in_the_file() -> None:
    own = '[policies.p.layers.own]\nscope = "global"\ngate = true\nlimit = "1/1h"\n'
    policies = read_policies(f'[policies.login.layers.alarm]\nlimit = "1/30m"\n{own}')
    assert str(policies["login"].layer("alarm").limit) == "1/30m"
    assert policies["p"].gates[0].name == "own"
