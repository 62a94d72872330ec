"""What a request's identity becomes: keys that nobody shares unknowingly, and lanes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from authguard.clock import ManualClock
from authguard.errors import IdentityError
from authguard.identity import Pseudonymizer
from authguard.limits import Algorithm, Counts, Limit, Mode, Outcome, Plan, Verdict
from authguard.policy import PRESETS, Lane, Layer, Planner, Policy, Scope, Subject
from authguard.stores.memory import MemoryStore

PEPPER, OLD = b"p" * 32, b"o" * 32
PLANNER = Planner(Pseudonymizer(PEPPER, app="tests"))
LOGIN = PRESETS["login"]
HOLD = LOGIN.hold
VALUES = {
    Scope.ID: "email:joe@example.com",
    Scope.AUTHENTICATOR: "account:1",
    Scope.IP: "192.0.2.1/32",
    Scope.SUBNET: "192.0.2.0/24",
    Scope.SITE: "192.0.2.0/24",
    Scope.DEVICE: "d1",
}
STRANGER = Subject(VALUES, "192.0.2.1/32", "joe@example.com")
KNOWN = replace(STRANGER, known=True)
FIVE = Limit.parse("5/15m")


def one(scope: Scope, **more: Any) -> Policy:
    """Return a policy of one layer."""
    return Policy("p", (Layer("l", (scope,), FIVE, **more),))


def keys(plan: Plan) -> dict[str, bytes]:
    """Return the plan's keys by layer."""
    return {counter.layer: counter.key for counter in plan.counters}


def key(policy: Policy, subject: Subject = STRANGER) -> bytes:
    """Return the key of a policy's one counter."""
    (counter,) = PLANNER.plan(policy, subject).counters
    return counter.key


def test_lanes_part_known_devices_from_strangers() -> None:
    strangers, known = keys(PLANNER.plan(LOGIN, STRANGER)), keys(PLANNER.plan(LOGIN, KNOWN))
    assert set(strangers) == {layer.name for layer in LOGIN.layers if layer.lane is Lane.STRANGERS}
    assert set(known) == {"account-known", "attempts-known", "attempts-an-address-known"}
    everyone = one(Scope.IP)
    assert key(everyone) == key(everyone, KNOWN)


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope not in (Scope.GLOBAL, Scope.TENANT)])
def test_each_value_has_a_key_of_its_own(scope: Scope) -> None:
    policy = one(scope, lane="known")
    assert key(policy, Subject({scope: "a"}, known=True)) != key(policy, Subject({scope: "b"}, known=True))


def test_a_pair_has_a_key_for_each_pair() -> None:
    policy = Policy("p", (Layer("l", (Scope.ID, Scope.USER), FIVE),))
    pairs = [("a", "b"), ("b", "a"), ("a", "a"), ("ab", "c"), ("a", "bc")]
    assert len({key(policy, Subject(dict(zip((Scope.ID, Scope.USER), pair, strict=True)))) for pair in pairs}) == 5


def test_a_lane_has_keys_of_its_own() -> None:
    assert key(one(Scope.IP, lane="strangers")) != key(one(Scope.IP, lane="known"), KNOWN) != key(one(Scope.IP))


def test_a_passed_challenge_opens_what_steps_up_and_is_counted() -> None:
    plan = PLANNER.plan(LOGIN, replace(STRANGER, passed_challenge=True))
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
        if name == "signup":
            continue
        store = MemoryStore(ManualClock())
        hold = policy.hold if any(layer.counts is Counts.FAILURES for layer in policy.layers) else 0
        denied = set()
        for number in range(600):
            subject = replace(STRANGER, values={**VALUES, Scope.ID: f"user{number % 40}"})
            denied |= {*store.decide(PLANNER.plan(policy, subject, f"guess {number}", hold)).denied}
        assert denied
        assert store.decide(PLANNER.plan(policy, KNOWN, "right", hold)).verdict is Verdict.ALLOW


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope is not Scope.GLOBAL])
@pytest.mark.parametrize("blank", [None, "", " ", "\t\n"])
def test_a_blank_is_no_key(scope: Scope, blank: str | None) -> None:
    values: dict[Scope, Any] = {Scope.IP: "192.0.2.1/32", scope: blank}
    policy = one(scope, lane="known")
    with pytest.raises(IdentityError, match="missing"):
        PLANNER.plan(policy, Subject(values, known=True, tenant=blank))


def test_a_blank_member_is_none_either() -> None:
    policy = Policy("p", (Layer("l", (Scope.IP,), replace(FIVE, algorithm=Algorithm.DISTINCT), distinct=Scope.ID),))
    with pytest.raises(IdentityError, match="missing"):
        PLANNER.plan(policy, Subject({Scope.IP: "192.0.2.1/32", Scope.ID: ""}))


@pytest.mark.parametrize("subject", [replace(STRANGER, client=""), replace(STRANGER, account="")])
def test_an_attempt_on_an_account_is_made_by_somebody(subject: Subject) -> None:
    with pytest.raises(IdentityError, match="missing"):
        PLANNER.plan(LOGIN, subject, "guess", HOLD)
    assert PLANNER.plan(LOGIN, subject).counters


def test_the_unidentified_share_one_tight_bucket_and_skip_no_other_layer() -> None:
    policy = replace(PRESETS["otp-send"], unidentified=Limit.parse("2/1m"))
    nameless = replace(STRANGER, values={scope: value for scope, value in VALUES.items() if scope is not Scope.ID})
    assert set(keys(PLANNER.plan(policy, nameless))) == {"unidentified", "address", "subnet", "site", "global"}
    store = MemoryStore(ManualClock())
    decisions = [store.decide(PLANNER.plan(policy, nameless)) for _ in range(3)]
    assert [decision.allowed for decision in decisions] == [True, True, False]
    assert decisions[2].denied == ("unidentified",)
    assert policy.layer("unidentified").scopes == (Scope.GLOBAL,)


def test_keys_name_the_scope_and_not_only_its_value() -> None:
    alike = Subject(dict.fromkeys(Scope, "same"), known=True, tenant="same")
    found = {key(one(scope, lane="known", share="s"), alike) for scope in Scope}
    assert len(found) == len(Scope)


def test_keys_name_policy_layer_counts_and_algorithm_but_not_the_limit() -> None:
    layer = Layer("l", (Scope.IP,), FIVE)
    base = key(Policy("p", (layer,)))
    assert key(Policy("p", (replace(layer, limit=Limit.parse("9/1h")),))) == base
    others = [
        key(Policy("q", (layer,))),
        key(Policy("p", (replace(layer, name="m"),))),
        key(Policy("p", (replace(layer, counts=Counts.FAILURES),))),
        key(Policy("p", (replace(layer, limit=replace(FIVE, algorithm=Algorithm.GCRA)),))),
        key(Policy("p", (replace(layer, share="p"),))),
    ]
    assert len({base, *others}) == 1 + len(others)


def test_keys_name_what_is_told_apart() -> None:
    layer = Layer("l", (Scope.IP,), replace(FIVE, algorithm=Algorithm.DISTINCT), distinct=Scope.ID)
    users = replace(layer, distinct=Scope.AUTHENTICATOR)
    assert key(Policy("p", (layer,))) != key(Policy("p", (users,)))


def test_a_share_is_one_counter_for_several_policies() -> None:
    layer = Layer("l", (Scope.DESTINATION,), FIVE, share="mail")
    subject = Subject({Scope.DESTINATION: "email:joe@example.com"})
    one_policy, another = Policy("p", (layer,)), Policy("q", (replace(layer, name="m"),))
    assert key(one_policy, subject) == key(another, subject)


@pytest.mark.parametrize("scope", list(Scope))
def test_a_tenant_keeps_accounts_apart_and_refills_no_address(scope: Scope) -> None:
    subject = Subject(dict.fromkeys(Scope, "same"), known=True, tenant="a")
    shared = {Scope.IP, Scope.SUBNET, Scope.SITE, Scope.GLOBAL, Scope.DESTINATION}
    policy = one(scope, lane="known")
    assert (key(policy, subject) == key(policy, replace(subject, tenant="b"))) is (scope in shared)


def test_the_tenant_counted_is_the_one_the_server_resolved() -> None:
    policy = one(Scope.TENANT)
    claimed = Subject({Scope.TENANT: "mine"}, tenant="a")
    assert key(policy, claimed) == key(policy, Subject({}, tenant="a"))
    with pytest.raises(IdentityError, match="missing"):
        PLANNER.plan(policy, Subject({Scope.TENANT: "mine"}))


def test_a_pair_with_an_address_ignores_the_tenant() -> None:
    policy = Policy("p", (Layer("l", (Scope.ID, Scope.IP), FIVE),))
    assert key(policy, replace(STRANGER, tenant="a")) == key(policy, replace(STRANGER, tenant="b"))


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


def test_a_retiring_pepper_is_still_read() -> None:
    before = Planner(Pseudonymizer(OLD, app="tests"))
    after = Planner(Pseudonymizer(PEPPER, app="tests", previous=[OLD]))
    for old, new in zip(before.plan(LOGIN, STRANGER).counters, after.plan(LOGIN, STRANGER).counters, strict=True):
        assert new.previous == (old.key,)
        assert new.key != old.key


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


def test_marks_say_who_tries_what_and_only_in_attempts() -> None:
    plans = [
        PLANNER.plan(LOGIN, STRANGER, "a", HOLD),
        PLANNER.plan(LOGIN, STRANGER, "b", HOLD),
        PLANNER.plan(LOGIN, replace(STRANGER, account="x"), "a", HOLD),
        PLANNER.plan(LOGIN, replace(STRANGER, client="x"), "a", HOLD),
    ]
    # One guess at two accounts, or by two clients, is not one guess: neither joins the other's charge.
    assert len({plan.guess for plan in plans}) == 4
    assert len({plan.client for plan in plans}) == 3
    assert plans[0].client == plans[1].client
    assert PLANNER.plan(LOGIN, STRANGER, None, HOLD).guess == bytes(2)
    assert PLANNER.plan(LOGIN, STRANGER, "a").client == bytes(7)


class Unlucky(Pseudonymizer):
    """Hashes everything to zeros, as one guess in 65,536 is by itself."""

    def tag(self, kind: str, *parts: str, size: int, tenant: str | None = None) -> bytes:
        """Return ``size`` zeros."""
        return bytes(size)


def test_nothing_that_hashes_to_zeros_is_mistaken_for_nothing() -> None:
    planner = Planner(Unlucky(PEPPER, app="tests"))
    layer = Layer("l", (Scope.IP,), replace(FIVE, algorithm=Algorithm.DISTINCT), distinct=Scope.ID)
    plan = planner.plan(Policy("p", (layer,)), STRANGER, "guess", HOLD)
    assert plan.guess != bytes(2)
    assert plan.counters[0].member != bytes(7)


def test_keys_hold_nothing_that_was_typed() -> None:
    plan = PLANNER.plan(LOGIN, STRANGER, "hunter2", HOLD)
    assert all(text.encode() not in repr(plan).encode() for text in ("joe", "192.0.2", "hunter2"))
