"""Blueprint: what can be said of a layer's counters before any request, worked out once a policy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from authguard.limits import Algorithm, Limit
from authguard.policy.model import Lane, Layer, Policy, Scope

TENANTLESS = frozenset({Scope.IP, Scope.SUBNET, Scope.SITE, Scope.GLOBAL, Scope.DESTINATION, Scope.SECRET})
"""Scopes that mean the same to every tenant: choosing another tenant must not refill them (law 7)."""


@dataclass(frozen=True, slots=True)
class Blueprint:
    """One layer's counters: ``family`` is what their keys have in common, whomever they count.

    It names policy and layer, or the share, and lane, algorithm, what is counted and of whom; not the limit, so that
    a new limit finds the old counts. None of these holds a slash, so no two families are spelled alike. ``limit`` is
    the layer's, in the algorithm that its counters have. ``tenantless`` counters belong to all tenants together.
    ``proves`` is the layer's. ``on_secrets``: it counts tried secrets, whoever tries them.
    """

    layer: Layer
    family: str
    limit: Limit
    tenantless: bool
    proves: bool
    on_secrets: bool


@dataclass(frozen=True, slots=True)
class PolicyBlueprint:
    """The blueprints of a policy, apart by whether the client is known and whether it has passed a challenge."""

    policy: Policy
    names: frozenset[str]
    lanes: dict[tuple[bool, bool], tuple[Blueprint, ...]]
    counts_secrets: bool
    fallback: Blueprint | None


def draw(policy: Policy) -> PolicyBlueprint:
    """Return the blueprint of ``policy``."""
    drawn = [_draw_layer(policy, layer) for layer in policy.layers]
    lanes = {
        (known, challenged): tuple(each for each in drawn if each.layer.lane in _lanes(known, challenged))
        for known in (False, True)
        for challenged in (False, True)
    }
    fallback = _draw_layer(policy, policy.fallback) if policy.fallback else None
    names = frozenset(layer.name for layer in policy.layers)
    return PolicyBlueprint(policy, names, lanes, any(each.on_secrets for each in drawn), fallback)


def _draw_layer(policy: Policy, layer: Layer) -> Blueprint:
    origin = ("share", layer.share) if layer.share is not None else ("layer", policy.name, layer.name)
    limit = layer.limit
    on_secrets = Scope.SECRET in layer.scopes
    if layer.gate or on_secrets:
        # Entries of a distinct counter hold a member and nothing else. Of a gate, which stays shut from the latest time
        # that it was shut, there is one; of secrets each failure is one of its own, so that none says whose it was.
        limit = replace(limit, algorithm=Algorithm.DISTINCT)
    scopes = "+".join(layer.scopes)
    family = "/".join((*origin, layer.lane, limit.algorithm, layer.counts, scopes, layer.distinct or ""))
    return Blueprint(layer, family, limit, bool(TENANTLESS & set(layer.scopes)), layer.proves, on_secrets)


def _lanes(known: bool, challenged: bool) -> set[Lane]:
    lanes = {Lane.EVERYONE, Lane.KNOWN if known else Lane.STRANGERS}
    return lanes | {Lane.CHALLENGED} if challenged else lanes
