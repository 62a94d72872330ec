"""Reduction: a policy without the layers that a log can't fill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from authguard.errors import ConfigurationError
from authguard.login.replay.record import Record
from authguard.policy import Layer, Policy, Scope

ADDRESSES = frozenset({Scope.IP, Scope.SUBNET, Scope.SITE, Scope.GLOBAL})
LOGGED = ADDRESSES | {Scope.ID, Scope.AUTHENTICATOR, Scope.DEVICE, Scope.SECRET}


def reduce_policy(policy: Policy, records: Sequence[Record]) -> tuple[Policy, tuple[str, ...]]:
    """Return ``policy`` without what ``records`` say nothing about, and the names of the layers left out.

    Many access logs tell no account: the layers on accounts can't be replayed then, and neither can the detector that
    compares them. Raises ``ConfigurationError`` when nothing is left.
    """
    has_accounts = any(record.account for record in records)
    has_secrets = any(record.secret is not None for record in records)
    scopes = LOGGED if has_accounts else ADDRESSES
    if not has_secrets:
        scopes -= {Scope.SECRET}
    kept = tuple(layer for layer in policy.layers if _scopes(layer) <= scopes and (has_accounts or not layer.gate))
    left_out = tuple(layer.name for layer in policy.layers if layer not in kept)
    if not kept:
        raise ConfigurationError(f"the log says nothing about any layer of the policy {policy.name!r}; replay another")
    return replace(policy, layers=kept), left_out


def _scopes(layer: Layer) -> frozenset[Scope]:
    own = frozenset(layer.scopes)
    return own if layer.distinct is None else own | {layer.distinct}
