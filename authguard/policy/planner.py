"""Planner: a policy and the identity of a request become a plan. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from authguard.clock import SECOND, Clock, SystemClock
from authguard.drafts import draft_of
from authguard.errors import IdentityError
from authguard.identity import Pseudonymizer
from authguard.limits import Plan
from authguard.limits.plan import GUESS_SIZE, NO_GUESS, NO_TAG, TAG_SIZE
from authguard.policy.blueprint import Blueprint, PolicyBlueprint, draw
from authguard.policy.model import Lane, Layer, Policy, Scope
from authguard.policy.sheet import Sheet

SECRET_BITS = 20
"""What is kept of a tried secret where secrets are counted: enough to tell a million apart, too little to find one."""
_SHUT = b"shut..."
_DAY = 86_400 * SECOND


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is asking, in canonical values.

    ``values`` holds one value a scope. ``client`` is what tells this client from others (its address key, its
    device); ``account`` is the account's own id, finer than the counting key: what a success may clear is the
    failures of this client on this account alone. ``own_id`` is the account that a device is known to: what the
    application's resolver found, else what was typed. ``known`` says that the client is such a device. ``facts`` are
    what else is known of the request, in words for whoever weighs risks; they change no decision.
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
    own_id: str = ""
    facts: tuple[str, ...] = ()

    @staticmethod
    def typed(
        values: Mapping[Scope, str], client: str, account: str = "", own_id: str = "", facts: tuple[str, ...] = ()
    ) -> Subject:
        """Return a stranger's subject, in less time; see :func:`~authguard.drafts.draft_of`."""
        draft = _Draft()
        draft.values, draft.client, draft.account, draft.own_id, draft.facts = values, client, account, own_id, facts
        draft.known, draft.tenant, draft.passed_challenge, draft.costs = False, None, False, _NO_COSTS
        draft.__class__ = Subject
        made: Subject = draft
        return made


_Draft = draft_of(Subject)
_NO_COSTS: Mapping[str, int] = MappingProxyType({})


class Planner:
    """Turns subjects into plans under one pepper; ``clock`` says which day it is, for what is counted by the day."""

    def __init__(self, pseudonymizer: Pseudonymizer, clock: Clock | None = None) -> None:
        self._pseudonymizer = pseudonymizer
        self._clock = clock or SystemClock()
        self._blueprints: dict[str, PolicyBlueprint] = {}
        self._clients = pseudonymizer.family("client", size=TAG_SIZE)
        self._guesses = pseudonymizer.family("guess", size=GUESS_SIZE)
        self._members = pseudonymizer.family("member", size=TAG_SIZE)

    def plan(self, policy: Policy, subject: Subject, secret: str | None = None, hold: int = 0) -> Plan:
        """Return the plan of one request; ``secret`` is what it tries, ``hold`` > 0 makes it an attempt.

        Where a layer counts a scope that the subject lacks, the policy's ``unidentified`` bucket is charged in its
        place; without one ``IdentityError("missing")`` is raised (law 7). So it is for an attempt whose failures are
        told apart by client and account while one of the two is blank. Layers on secrets are left out where the
        application gives none. Raises ``ValueError`` for costs that name no layer of the policy or are negative: those
        are the application's mistakes, not the client's.
        """
        blueprint = self._blueprint(policy)
        costs = subject.costs
        if costs:
            _check_costs(blueprint, costs)
        sheet = Sheet(subject.values, subject.tenant, self._members)
        if blueprint.counts_secrets and secret is not None:
            sheet.values[Scope.SECRET] = self._sketch(secret)
        counters, fallback = [], blueprint.fallback
        for each in blueprint.lanes[subject.known, subject.passed_challenge]:
            cost = _cost(each, costs) if costs else each.counter.cost
            if cost and (secret is not None or not each.on_secrets):
                counters.append(sheet.counter(each, cost, fallback))
        if fallback is not None:
            # Several layers may lack their scope; the bucket that stands in for them is charged once.
            counters = list(dict.fromkeys(counters))
        if hold and blueprint.joins and not (subject.client and subject.account) and any(c.joins for c in counters):
            raise IdentityError("missing")
        client, guess = self._marks(subject, secret) if hold else (NO_TAG, NO_GUESS)
        return Plan.drawn(tuple(counters), client, guess, hold)

    def shut(self, policy: Policy, layer: Layer) -> Plan:
        """Return the plan that shuts the gate ``layer``, for its limit's period from now on."""
        lane = self._blueprint(policy).lanes[layer.lane is Lane.KNOWN, True]
        (gate,) = (each.counter for each in lane if each.layer is layer)
        return Plan((replace(gate, member=_SHUT, charges=True, mode=layer.mode),))

    def tag(self, kind: str, value: str, size: int = TAG_SIZE) -> bytes:
        """Return a tag of ``value`` for telling few things apart, such as the accounts seen in the last minutes."""
        return self._pseudonymizer.tag(kind, value, size=size)

    def _blueprint(self, policy: Policy) -> PolicyBlueprint:
        drawn = self._blueprints.get(policy.name)
        if drawn is None or drawn.policy is not policy:
            drawn = self._blueprints[policy.name] = draw(policy, self._pseudonymizer)
        return drawn

    def _marks(self, subject: Subject, secret: str | None) -> tuple[bytes, bytes]:
        """Return who makes the attempt and what is tried (law 4)."""
        client = self._clients.tag((subject.client, subject.account))
        if secret is None:
            return client, NO_GUESS
        guess = self._guesses.tag((subject.account, subject.client, secret))
        # All zeros means "no secret"; the guess that hashes to it is moved next door.
        return client, b"\x00\x01" if guess == NO_GUESS else guess

    def _sketch(self, secret: str) -> str:
        """Return what is kept of a tried secret, another for each day (UTC); its counter's key hides it once more."""
        day = self._clock.now() // _DAY
        digest = hashlib.sha256(f"{day}:{secret}".encode("utf-8", "surrogatepass")).digest()
        return f"{int.from_bytes(digest[:3]) >> (24 - SECRET_BITS):05x}"


def _cost(blueprint: Blueprint, costs: Mapping[str, int]) -> int:
    counter = blueprint.counter
    cost = costs.get(counter.layer, counter.cost)
    return min(cost, 1) if blueprint.counts_one else cost


def _check_costs(blueprint: PolicyBlueprint, costs: Mapping[str, int]) -> None:
    for name, cost in costs.items():
        if name not in blueprint.names:
            raise ValueError(f"the policy {blueprint.policy.name} has no layer {name!r} that could cost anything")
        if type(cost) is not int or cost < 0:
            raise ValueError(f"the cost of layer {name!r} must be a whole number of at least 0")
