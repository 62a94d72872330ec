"""Names: what is doubtful about layers that count the account behind an identifier: which names it has is secret."""

from __future__ import annotations

from collections.abc import Iterator

from authguard.limits import Counts, Limit, Mode
from authguard.policy.finding import Check, Finding, warn
from authguard.policy.model import STRANGERS, Lane, Layer, Policy, Scope


def _tight_hidden_layer(policy: Policy) -> Iterator[Finding]:
    layers = policy.enforcing(STRANGERS)
    for hidden in layers:
        if hidden.scopes != (Scope.AUTHENTICATOR,):
            continue
        for shown in layers:
            alike = (shown.counts, shown.lane, shown.limit.period) == (hidden.counts, hidden.lane, hidden.limit.period)
            if shown.scopes == (Scope.ID,) and alike and _is_tighter(hidden.limit, shown.limit):
                message = f'limit is tighter than that of layer "{shown.name}"; right secrets would fail without a word'
                yield warn("AG115", policy, message, hidden)


def _name_by_name(policy: Policy) -> Iterator[Finding]:
    # Where codes are guessed an identifier may be an authenticator already, as it is for second factors.
    if policy.digits or not any(_counts_failures(layer, Scope.ID, Scope.DEVICE) for layer in policy.layers):
        return
    for lane in (Lane.STRANGERS, Lane.KNOWN):
        layers = policy.enforcing(frozenset({Lane.EVERYONE, lane}))
        if not any(_counts_failures(layer, Scope.AUTHENTICATOR) for layer in layers):
            message = (
                f'layers of lane "{lane}" count failures under each name of an account apart; add one that has '
                '"authenticator" in place of "id"'
            )
            yield warn("AG118", policy, message)


def _told_hidden_layer(policy: Policy) -> Iterator[Finding]:
    # Where a secret is tried, whom such a layer denies goes on without a chance; here is nothing that could fail.
    if any(layer.counts is Counts.FAILURES for layer in policy.layers):
        return
    for layer in policy.layers:
        told = Scope.AUTHENTICATOR in layer.scopes and Scope.DEVICE not in layer.scopes
        if told and layer.mode is not Mode.SHADOW:
            message = (
                'denial is told to whoever asks, and ties the names of an account together; count "id", and in policy '
                '"message" the "destination"'
            )
            yield warn("AG119", policy, message, layer)


def _counts_failures(layer: Layer, *scopes: Scope) -> bool:
    return layer.counts is Counts.FAILURES and set(scopes) <= set(layer.scopes)


def _is_tighter(one: Limit, other: Limit) -> bool:
    return one.capacity < other.capacity


NAMES: tuple[Check, ...] = (_tight_hidden_layer, _name_by_name, _told_hidden_layer)
