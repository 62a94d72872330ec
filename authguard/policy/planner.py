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
    ``tenant`` is one that the server resolved, never one that the client chose.
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

        Raises ``IdentityError("missing")`` when a layer counts a scope that the subject lacks (law 7).
        """
        lane = Lane.KNOWN if subject.known else Lane.STRANGERS
        counters = tuple(
            self._counter(policy, layer, subject)
            for layer in policy.layers
            if layer.lane in (Lane.EVERYONE, lane) and subject.costs.get(layer.name, 1)
        )
        client = guess = b""
        if hold:
            client = self._pseudonymizer.tag("client", subject.client, subject.account, size=TAG_SIZE)
        if hold and secret is not None:
            parts = (subject.account, subject.client, secret)
            guess = self._pseudonymizer.tag("guess", *parts, size=GUESS_SIZE)
            # All zeros means "no secret"; the guess that hashes to it is moved next door.
            guess = b"\x00\x01" if guess == NO_GUESS else guess
        return Plan(counters, client or NO_TAG, guess or NO_GUESS, hold)

    def _counter(self, policy: Policy, layer: Layer, subject: Subject) -> Counter:
        parts = [layer.share or f"{policy.name}/{layer.name}", layer.lane, layer.limit.algorithm, layer.counts]
        parts += [value(subject, scope) for scope in layer.scopes]
        tenant = None if TENANTLESS & set(layer.scopes) else subject.tenant
        own, *previous = self._pseudonymizer.tags("counter", *parts, size=KEY_SIZE, tenant=tenant)
        member = NO_TAG
        if layer.distinct is not None:
            member = self._pseudonymizer.tag("member", value(subject, layer.distinct), size=TAG_SIZE)
        stepped_up = layer.mode is Mode.STEP_UP and subject.passed_challenge
        return Counter(
            layer.name,
            own,
            layer.limit,
            subject.costs.get(layer.name, 1),
            layer.counts,
            Mode.SHADOW if stepped_up else layer.mode,
            member,
            joins=layer.proves,
            clears=layer.proves,
            previous=tuple(previous),
        )


def value(subject: Subject, scope: Scope) -> str:
    """Return the subject's value of ``scope``; raises ``IdentityError("missing")``."""
    if scope is Scope.GLOBAL:
        return ""
    found = subject.values.get(scope, "")
    if not found:
        raise IdentityError("missing")
    return found
