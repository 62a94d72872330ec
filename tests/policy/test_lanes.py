"""Whom a layer concerns and what it costs them: strangers, known devices, the challenged and the nameless."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from authguard.clock import ManualClock
from authguard.limits import Algorithm, Counts, Limit, Mode, Outcome, Verdict
from authguard.policy import PRESETS, Lane, Layer, Policy, Scope, Subject
from authguard.stores.memory import MemoryStore
from tests.policy.people import FIVE, HOLD, KNOWN, LOGIN, PLANNER, STRANGER, VALUES, key, keys, one


def test_lanes_part_known_devices_from_strangers() -> None:
    strangers, known = keys(PLANNER.plan(LOGIN, STRANGER, "guess")), keys(PLANNER.plan(LOGIN, KNOWN, "guess"))
    assert set(strangers) == {layer.name for layer in LOGIN.layers if layer.lane is Lane.STRANGERS}
    assert set(known) == {"account-known", "authenticator-known", "attempts-known", "attempts-an-address-known"}
    everyone = one(Scope.IP)
    assert key(everyone) == key(everyone, KNOWN)


def test_a_lane_has_keys_of_its_own() -> None:
    assert key(one(Scope.IP, lane="strangers")) != key(one(Scope.IP, lane="known"), KNOWN) != key(one(Scope.IP))


def test_a_passed_challenge_opens_what_steps_up_and_is_counted() -> None:
    plan = PLANNER.plan(LOGIN, replace(STRANGER, passed_challenge=True), "guess")
    modes = {counter.layer: counter.mode for counter in plan.counters}
    assert {modes[layer.name] for layer in LOGIN.layers if layer.mode is Mode.STEP_UP} == {Mode.SHADOW}
    assert modes["challenged"] is modes["attempts"] is Mode.ENFORCE


def test_solved_challenges_do_not_guess_without_end() -> None:
    store = MemoryStore(ManualClock())
    admitted = 0
    for number in range(60):
        address = f"198.51.100.{number}/32"
        values = {**VALUES, Scope.IP: address, Scope.SUBNET: address, Scope.SITE: address}
        subject = Subject(values, address, "joe@example.com", passed_challenge=True)
        admitted += store.decide(PLANNER.plan(LOGIN, subject, f"guess {number}", HOLD)).allowed
    assert admitted == 20


def test_a_known_device_is_served_while_strangers_have_burnt_everything() -> None:
    for name, policy in PRESETS.items():
        if name.startswith("signup"):
            continue
        store = MemoryStore(ManualClock())
        hold = policy.hold if any(layer.counts is Counts.FAILURES for layer in policy.layers) else 0
        denied = set()
        for number in range(600):
            subject = replace(STRANGER, values={**VALUES, Scope.ID: f"user{number % 40}"})
            denied |= {*store.decide(PLANNER.plan(policy, subject, f"guess {number}", hold)).denied}
        assert denied
        assert store.decide(PLANNER.plan(policy, KNOWN, "right", hold)).verdict is Verdict.ALLOW


def test_the_unidentified_share_one_tight_bucket_and_skip_no_other_layer() -> None:
    policy = replace(PRESETS["otp-send"], unidentified=Limit.parse("2/1m"))
    nameless = replace(STRANGER, values={scope: value for scope, value in VALUES.items() if scope is not Scope.ID})
    assert set(keys(PLANNER.plan(policy, nameless))) == {"unidentified", "address", "subnet", "site", "global"}
    store = MemoryStore(ManualClock())
    decisions = [store.decide(PLANNER.plan(policy, nameless)) for _ in range(3)]
    assert [decision.allowed for decision in decisions] == [True, True, False]
    assert decisions[2].denied == ("unidentified",)
    assert policy.layer("unidentified").scopes == (Scope.GLOBAL,)


def test_costs() -> None:
    policy = Policy("p", (Layer("a", (Scope.IP,), FIVE, cost=2), Layer("b", (Scope.ID,), FIVE)))

    def costs(**said: Any) -> dict[str, int]:
        plan = PLANNER.plan(policy, replace(STRANGER, costs=said))
        return {counter.layer: counter.cost for counter in plan.counters}

    assert costs() == {"a": 2, "b": 1}
    assert costs(a=5, b=0) == {"a": 5}
    assert costs(a=0, b=0) == {}
    for wrong in ({"c": 1}, {"a": -1}, {"a": True}, {"a": 1.5}):
        with pytest.raises(ValueError, match=r"layer '[ac]'"):
            costs(**wrong)


def test_a_cost_that_never_fits_is_denied_without_an_end_and_charges_nothing() -> None:
    store = MemoryStore(ManualClock())
    policy = Policy("p", (Layer("a", (Scope.IP,), FIVE), Layer("b", (Scope.ID,), FIVE)))
    decision = store.decide(PLANNER.plan(policy, replace(STRANGER, costs={"b": 6})))
    assert (decision.allowed, decision.denied, decision.retry_after) == (False, ("b",), None)
    assert len(store) == 0


def test_different_things_cost_one_or_nothing() -> None:
    layer = Layer("l", (Scope.IP,), replace(FIVE, algorithm=Algorithm.DISTINCT), distinct=Scope.ID)
    (counter,) = PLANNER.plan(Policy("p", (layer,)), replace(STRANGER, costs={"l": 7})).counters
    assert counter.cost == 1
    assert PLANNER.plan(Policy("p", (layer,)), replace(STRANGER, costs={"l": 0})).counters == ()


def test_success_clears_this_client_s_failures_on_this_account_alone() -> None:
    store = MemoryStore(ManualClock())

    def left(subject: Subject) -> int:
        return store.peek(PLANNER.plan(LOGIN, subject, "x", HOLD)).remaining["account"]

    other = replace(STRANGER, client="203.0.113.9/32", values={**VALUES, Scope.IP: "203.0.113.9/32"})
    alias = replace(STRANGER, account="joe+alias@example.com")
    for subject in (STRANGER, other, alias):
        store.decide(PLANNER.plan(LOGIN, subject, "wrong", HOLD))
    # What is left after the try that was looked at.
    assert left(STRANGER) == 1
    receipt = store.decide(PLANNER.plan(LOGIN, STRANGER, "right", HOLD)).receipt
    assert receipt is not None
    assert store.settle(receipt, Outcome.SUCCESS)
    assert left(STRANGER) == 2
