"""Planner: a policy and the identity of a request become a plan. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from authguard.errors import IdentityError
from authguard.identity import Pseudonymizer
from authguard.limits import Counter, Mode, Plan
from authguard.limits.plan import GUESS_SIZE, KEY_SIZE, NO_GUESS, NO_TAG, TAG_SIZE
from authguard.policy.model import Lane, Layer, Policy, Scope

TENANTLESS = frozenset({Scope.IP, Scope.SUBNET, Scope.SITE, Scope.GLOBAL, Scope.DESTINATION})
"""Scopes that mean the same to every tenant: choosing another tenant must not refill them (law 7)."""


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

    def plan(self, policy: Policy, subject: Subject, secret: str | None = None, hold: int = 0) -> Plan:
        """Return the plan of one request; ``secret`` is what it tries, ``hold`` > 0 makes it an attempt.

        Where a layer counts a scope that the subject lacks, the policy's ``unidentified`` bucket is charged in its
        place; without one ``IdentityError("missing")`` is raised (law 7). So it is for an attempt whose failures are
        told apart by client and account while one of the two is blank. Raises ``ValueError`` for costs that name no
        layer of the policy or are negative: those are the application's mistakes, not the client's.
        """
        _check_costs(policy, subject.costs)
        counters = [
            self._counter(policy, layer, subject)
            for layer in policy.layers
            if layer.lane in _LANES[subject.known, subject.passed_challenge] and _cost(layer, subject)
        ]
        counted = tuple(dict.fromkeys(counters))
        if hold and not (subject.client and subject.account) and any(counter.joins for counter in counted):
            raise IdentityError("missing")
        client, guess = self._marks(subject, secret) if hold else (NO_TAG, NO_GUESS)
        return Plan(counted, client, guess, hold)

    def _marks(self, subject: Subject, secret: str | None) -> tuple[bytes, bytes]:
        """Return who makes the attempt and what is tried (law 4)."""
        client = self._pseudonymizer.tag("client", subject.client, subject.account, size=TAG_SIZE)
        if secret is None:
            return client, NO_GUESS
        guess = self._pseudonymizer.tag("guess", subject.account, subject.client, secret, size=GUESS_SIZE)
        # All zeros means "no secret"; the guess that hashes to it is moved next door.
        return client, b"\x00\x01" if guess == NO_GUESS else guess

    def _counter(self, policy: Policy, layer: Layer, subject: Subject) -> Counter:
        try:
            return self._identified(policy, layer, subject)
        except IdentityError:
            if policy.fallback is None:
                raise
            return self._identified(policy, policy.fallback, Subject({}))

    def _identified(self, policy: Policy, layer: Layer, subject: Subject) -> Counter:
        family = ("share", layer.share, "") if layer.share is not None else ("layer", policy.name, layer.name)
        counted = (*layer.scopes, layer.distinct or "")
        values = [_value(subject, scope) for scope in layer.scopes]
        tenant = None if TENANTLESS & set(layer.scopes) else subject.tenant
        parts = (*family, layer.lane, layer.limit.algorithm, layer.counts, "+".join(counted), *values)
        own, *previous = self._pseudonymizer.tags("counter", *parts, size=KEY_SIZE, tenant=tenant)
        member = NO_TAG
        if layer.distinct is not None:
            member = self._member(_value(subject, layer.distinct), subject.tenant)
        return Counter(
            layer.name,
            own,
            layer.limit,
            _cost(layer, subject),
            layer.counts,
            Mode.SHADOW if layer.mode is Mode.STEP_UP and subject.passed_challenge else layer.mode,
            member,
            joins=layer.proves,
            clears=layer.proves,
            previous=tuple(previous),
        )

    def _member(self, value: str, tenant: str | None) -> bytes:
        member = self._pseudonymizer.tag("member", value, size=TAG_SIZE, tenant=tenant)
        # All zeros means "no member".
        return b"\x01" * TAG_SIZE if member == NO_TAG else member


_LANES = {
    (known, challenged): {Lane.EVERYONE, Lane.KNOWN if known else Lane.STRANGERS}
    | ({Lane.CHALLENGED} if challenged else set())
    for known in (False, True)
    for challenged in (False, True)
}


def _cost(layer: Layer, subject: Subject) -> int:
    cost = subject.costs.get(layer.name, layer.cost)
    return min(cost, 1) if layer.distinct is not None else cost


def _check_costs(policy: Policy, costs: Mapping[str, int]) -> None:
    names = {layer.name for layer in policy.layers} if costs else set()
    for name, cost in costs.items():
        if name not in names:
            raise ValueError(f"the policy {policy.name} has no layer {name!r} that could cost anything")
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
