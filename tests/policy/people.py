"""Who asks in these tests, and what a plan makes of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from authguard.identity import Pseudonymizer
from authguard.limits import Limit, Plan
from authguard.policy import PRESETS, Layer, Planner, Policy, Scope, Subject

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
    Scope.DESTINATION: "email:joe@example.com",
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
