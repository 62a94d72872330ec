"""Planner: a policy and the identity of a request become a plan. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from authguard.errors import IdentityError
from authguard.identity import Pseudonymizer
from authguard.limits import Counter, Mode, Plan
from authguard.limits.plan import GUESS_SIZE, KEY_SIZE, NO_GUESS, NO_TAG, TAG_SIZE
from authguard.policy.blueprint import Blueprint, PolicyBlueprint, draw
from authguard.policy.model import Layer, Policy, Scope


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is asking, in canonical values.

    ``values`` holds one value a scope. ``client`` is what tells this client from others (its address key, its
    device); ``account`` is the account's own id, finer than the counting key: what a success may clear is the
    failures of this client on this account alone. ``known`` says that the client is a known device of the account.
    ``tenant`` is one that the server resolved, never one that the client chose; it is also the value of that scope.
    ``costs`` says, by the layer's name, what this request costs where that isn't the layer's own ``cost``: a whole
    number, 0 to leave the layer out. In a distinct layer whatever isn't free costs 1.
    """

    values: Mapping[Scope, str]
    client: str = ""
    account: str = ""
    known: bool = False
    tenant: str | None = None
    passed_challenge: bool = False
    costs: Mapping[str, int] = field(default_factory=dict)


class Planner:
    """Turns subjects into plans under one pepper."""

    def __init__(self, pseudonymizer: Pseudonymizer) -> None:
        self._pseudonymizer = pseudonymizer
        self._blueprints: dict[str, PolicyBlueprint] = {}

    def plan(self, policy: Policy, subject: Subject, secret: str | None = None, hold: int = 0) -> Plan:
        """Return the plan of one request; ``secret`` is what it tries, ``hold`` > 0 makes it an attempt.

        Where a layer counts a scope that the subject lacks, the policy's ``unidentified`` bucket is charged in its
        place; without one ``IdentityError("missing")`` is raised (law 7). So it is for an attempt whose failures are
        told apart by client and account while one of the two is blank. Raises ``ValueError`` for costs that name no
        layer of the policy or are negative: those are the application's mistakes, not the client's.
        """
        blueprint = self._blueprint(policy)
        if subject.costs:
            _check_costs(blueprint, subject.costs)
        counters = [
            self._counter(blueprint, each, subject, cost)
            for each in blueprint.lanes[subject.known, subject.passed_challenge]
            if (cost := _cost(each.layer, subject))
        ]
        if blueprint.fallback is not None:
            # Several layers may lack their scope; the bucket that stands in for them is charged once.
            counters = list(dict.fromkeys(counters))
        if hold and not (subject.client and subject.account) and any(counter.joins for counter in counters):
            raise IdentityError("missing")
        client, guess = self._marks(subject, secret) if hold else (NO_TAG, NO_GUESS)
        return Plan(tuple(counters), client, guess, hold)

    def _blueprint(self, policy: Policy) -> PolicyBlueprint:
        drawn = self._blueprints.get(policy.name)
        if drawn is None or drawn.policy is not policy:
            drawn = self._blueprints[policy.name] = draw(policy)
        return drawn

    def _marks(self, subject: Subject, secret: str | None) -> tuple[bytes, bytes]:
        """Return who makes the attempt and what is tried (law 4)."""
        client = self._pseudonymizer.tag("client", subject.client, subject.account, size=TAG_SIZE)
        if secret is None:
            return client, NO_GUESS
        guess = self._pseudonymizer.tag("guess", subject.account, subject.client, secret, size=GUESS_SIZE)
        # All zeros means "no secret"; the guess that hashes to it is moved next door.
        return client, b"\x00\x01" if guess == NO_GUESS else guess

    def _counter(self, whole: PolicyBlueprint, blueprint: Blueprint, subject: Subject, cost: int) -> Counter:
        try:
            return self._identified(blueprint, subject, cost)
        except IdentityError:
            if whole.fallback is None:
                raise
            return self._identified(whole.fallback, subject, 1)

    def _identified(self, blueprint: Blueprint, subject: Subject, cost: int) -> Counter:
        layer = blueprint.layer
        values = [_value(subject, scope) for scope in layer.scopes]
        tenant = None if blueprint.tenantless else subject.tenant
        own, *previous = self._pseudonymizer.tags("counter", blueprint.family, *values, size=KEY_SIZE, tenant=tenant)
        member = NO_TAG
        if layer.distinct is not None:
            member = self._member(_value(subject, layer.distinct), subject.tenant)
        return Counter(
            layer.name,
            own,
            layer.limit,
            cost,
            layer.counts,
            Mode.SHADOW if layer.mode is Mode.STEP_UP and subject.passed_challenge else layer.mode,
            member,
            joins=blueprint.proves,
            clears=blueprint.proves,
            previous=tuple(previous),
        )

    def _member(self, value: str, tenant: str | None) -> bytes:
        member = self._pseudonymizer.tag("member", value, size=TAG_SIZE, tenant=tenant)
        # All zeros means "no member".
        return b"\x01" * TAG_SIZE if member == NO_TAG else member


def _cost(layer: Layer, subject: Subject) -> int:
    cost = subject.costs.get(layer.name, layer.cost)
    return min(cost, 1) if layer.distinct is not None else cost


def _check_costs(blueprint: PolicyBlueprint, costs: Mapping[str, int]) -> None:
    for name, cost in costs.items():
        if name not in blueprint.names:
            raise ValueError(f"the policy {blueprint.policy.name} has no layer {name!r} that could cost anything")
        if type(cost) is not int or cost < 0:
            raise ValueError(f"the cost of layer {name!r} must be a whole number of at least 0")


def _value(subject: Subject, scope: Scope) -> str:
    """Return the subject's value of ``scope``; raises ``IdentityError("missing")`` for one that it lacks."""
    if scope is Scope.GLOBAL:
        return ""
    found = subject.tenant if scope is Scope.TENANT else subject.values.get(scope)
    if not found or found.isspace():
        raise IdentityError("missing")
    return found
