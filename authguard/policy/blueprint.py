"""Blueprint: what can be said of a layer's counters before any request, worked out once a policy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from authguard.identity import Pseudonymizer, TagFamily
from authguard.limits import Algorithm, Counter, Mode
from authguard.limits.plan import KEY_SIZE, NO_TAG, TAG_SIZE
from authguard.policy.model import Lane, Layer, Policy, Scope

TENANTLESS = frozenset({Scope.IP, Scope.SUBNET, Scope.SITE, Scope.GLOBAL, Scope.DESTINATION, Scope.SECRET})
"""Scopes that mean the same to every tenant: choosing another tenant must not refill them (law 7)."""
LOOK = b"looks.."
"""The member with which a request looks at a gate."""
_SOMEBODY = bytes(KEY_SIZE)
_SOMETHING = b"\x01" * TAG_SIZE


@dataclass(frozen=True, slots=True)
class Blueprint:
    """One layer's counters in one lane. ``counter`` is one of them but for what a request brings, and checked.

    ``keys`` makes their keys. ``tenantless`` counters belong to all tenants together. ``only`` is the key of a layer
    that has a single counter, and its previous ones. ``complete``: a request brings nothing but perhaps its cost.
    ``on_secrets``: it counts tried secrets, whoever tries them. ``counts_one``: its cost is never above 1.
    """

    layer: Layer
    counter: Counter
    keys: TagFamily
    only: tuple[bytes, ...]
    complete: bool
    tenantless: bool
    on_secrets: bool
    counts_one: bool


@dataclass(frozen=True, slots=True)
class PolicyBlueprint:
    """The blueprints of a policy, apart by whether the client is known and whether it has passed a challenge."""

    policy: Policy
    names: frozenset[str]
    lanes: dict[tuple[bool, bool], tuple[Blueprint, ...]]
    counts_secrets: bool
    joins: bool
    fallback: Blueprint | None


def draw(policy: Policy, pseudonymizer: Pseudonymizer) -> PolicyBlueprint:
    """Return the blueprint of ``policy``."""
    drawn = [_draw_layer(policy, layer, pseudonymizer) for layer in policy.layers]
    lanes = {
        (known, challenged): tuple(
            _pass_challenge(each) if challenged else each
            for each in drawn
            if each.layer.lane in _lanes(known, challenged)
        )
        for known in (False, True)
        for challenged in (False, True)
    }
    return PolicyBlueprint(
        policy,
        frozenset(layer.name for layer in policy.layers),
        lanes,
        counts_secrets=any(each.on_secrets for each in drawn),
        joins=any(each.counter.joins for each in drawn),
        fallback=_draw_layer(policy, policy.fallback, pseudonymizer) if policy.fallback else None,
    )


def _draw_layer(policy: Policy, layer: Layer, pseudonymizer: Pseudonymizer) -> Blueprint:
    limit = layer.limit
    on_secrets = Scope.SECRET in layer.scopes
    if layer.gate or on_secrets:
        # Entries of a distinct counter hold a member and nothing else. Of a gate, which stays shut from the latest time
        # that it was shut, there is one; of secrets each failure is one of its own, so that none says whose it was.
        limit = replace(limit, algorithm=Algorithm.DISTINCT)
    counts_one = limit.algorithm is Algorithm.DISTINCT
    counter = Counter(
        layer.name,
        _SOMEBODY,
        limit,
        1 if counts_one else layer.cost,
        layer.counts,
        layer.mode,
        _SOMETHING if counts_one else bytes(TAG_SIZE),
        joins=layer.proves,
        clears=layer.proves,
        charges=not layer.gate,
        lease=layer.lease,
        apart=layer.apart,
    )
    keys = pseudonymizer.family("counter", _family(policy, layer, limit.algorithm), size=KEY_SIZE)
    only = keys.tags(("",)) if layer.scopes == (Scope.GLOBAL,) else ()
    complete = bool(only) and layer.distinct is None
    if complete:
        member = LOOK if layer.gate else NO_TAG
        counter = counter.under(only[0], counter.cost, counter.mode, member, only[1:])
    tenantless = bool(TENANTLESS & set(layer.scopes))
    return Blueprint(layer, counter, keys, only, complete, tenantless, on_secrets, counts_one)


def _family(policy: Policy, layer: Layer, algorithm: Algorithm) -> str:
    """Return what the keys of a layer's counters have in common, whomever they count.

    It names policy and layer, or the share, and lane, algorithm, what is counted and of whom; not the limit, so that
    a new limit finds the old counts. None of these holds a slash, so no two families are spelled alike.
    """
    origin = ("share", layer.share) if layer.share is not None else ("layer", policy.name, layer.name)
    scopes = "+".join(layer.scopes)
    return "/".join((*origin, layer.lane, algorithm, layer.counts, scopes, layer.distinct or ""))


def _pass_challenge(blueprint: Blueprint) -> Blueprint:
    """Return ``blueprint`` for those who have passed what a step-up layer asks for."""
    counter = blueprint.counter
    if counter.mode is not Mode.STEP_UP:
        return blueprint
    return replace(blueprint, counter=replace(counter, mode=Mode.SHADOW))


def _lanes(known: bool, challenged: bool) -> set[Lane]:
    lanes = {Lane.EVERYONE, Lane.KNOWN if known else Lane.STRANGERS}
    return lanes | {Lane.CHALLENGED} if challenged else lanes
