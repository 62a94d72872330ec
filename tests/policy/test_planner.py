"""What a request's identity becomes: keys that nobody shares unknowingly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from authguard.errors import IdentityError
from authguard.identity import Pseudonymizer, TagFamily
from authguard.limits import Algorithm, Counts, Limit
from authguard.policy import Layer, Planner, Policy, Scope, Subject
from tests.policy.people import FIVE, HOLD, LOGIN, OLD, PEPPER, PLANNER, STRANGER, key, one


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope not in (Scope.GLOBAL, Scope.TENANT, Scope.SECRET)])
def test_each_value_has_a_key_of_its_own(scope: Scope) -> None:
    policy = one(scope, lane="known")
    assert key(policy, Subject({scope: "a"}, known=True)) != key(policy, Subject({scope: "b"}, known=True))


def test_a_pair_has_a_key_for_each_pair() -> None:
    policy = Policy("p", (Layer("l", (Scope.ID, Scope.USER), FIVE),))
    pairs = [("a", "b"), ("b", "a"), ("a", "a"), ("ab", "c"), ("a", "bc")]
    assert len({key(policy, Subject(dict(zip((Scope.ID, Scope.USER), pair, strict=True)))) for pair in pairs}) == 5


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope not in (Scope.GLOBAL, Scope.SECRET)])
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


def test_keys_name_the_scope_and_not_only_its_value() -> None:
    alike = Subject(dict.fromkeys(Scope, "same"), known=True, tenant="same")
    scopes = [scope for scope in Scope if scope is not Scope.SECRET]
    found = {key(one(scope, lane="known", share="s"), alike) for scope in scopes}
    assert len(found) == len(scopes)


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


@pytest.mark.parametrize("scope", [scope for scope in Scope if scope is not Scope.SECRET])
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


def test_a_retiring_pepper_is_still_read() -> None:
    before = Planner(Pseudonymizer(OLD, app="tests"))
    after = Planner(Pseudonymizer(PEPPER, app="tests", previous=[OLD]))
    for old, new in zip(before.plan(LOGIN, STRANGER).counters, after.plan(LOGIN, STRANGER).counters, strict=True):
        assert new.previous == (old.key,)
        assert new.key != old.key


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


class UnluckyFamily(TagFamily):
    """Hashes everything to zeros, as one guess in 65,536 is by itself."""

    def tags(self, parts: Sequence[str], tenant: str | None = None) -> tuple[bytes, ...]:
        """Return zeros."""
        return tuple(bytes(len(tag)) for tag in super().tags(parts, tenant))


class Unlucky(Pseudonymizer):
    """Has no other families."""

    def family(self, kind: str, *first: str, size: int) -> TagFamily:
        """Return an unlucky family."""
        return UnluckyFamily(self._tagging, kind, first, size)


def test_nothing_that_hashes_to_zeros_is_mistaken_for_nothing() -> None:
    planner = Planner(Unlucky(PEPPER, app="tests"))
    layer = Layer("l", (Scope.IP,), replace(FIVE, algorithm=Algorithm.DISTINCT), distinct=Scope.ID)
    plan = planner.plan(Policy("p", (layer,)), STRANGER, "guess", HOLD)
    assert plan.guess != bytes(2)
    assert plan.counters[0].member != bytes(7)


def test_keys_hold_nothing_that_was_typed() -> None:
    plan = PLANNER.plan(LOGIN, STRANGER, "hunter2", HOLD)
    assert all(text.encode() not in repr(plan).encode() for text in ("joe", "192.0.2", "hunter2"))
