"""Check: what is doubtful about a set of policies, as findings with stable codes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from authguard.limits import Algorithm, Counts, Mode
from authguard.policy.model import FailMode, Lane, Layer, Policy, Scope

ABSURD_LOG = 10_000
"""Entries above which an exact log is refused: a counter of that size belongs to an approximate algorithm."""


class Severity(StrEnum):
    """``ERROR`` stops the start, ``WARNING`` is told."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Finding:
    """One doubt about one policy. ``code`` is stable; ``message`` is a sentence that says what to change."""

    code: str
    severity: Severity
    policy: str
    message: str


def check_policies(policies: Mapping[str, Policy]) -> tuple[Finding, ...]:
    """Return the findings about ``policies``, errors first."""
    findings = [finding for policy in policies.values() for check in _CHECKS for finding in check(policy)]
    return tuple(sorted(findings, key=lambda finding: (finding.severity is not Severity.ERROR, finding.code)))


def _enforcing(policy: Policy) -> Iterator[Layer]:
    return (layer for layer in policy.layers if layer.mode is not Mode.SHADOW)


def _nothing_enforced(policy: Policy) -> Iterator[Finding]:
    if not any(_enforcing(policy)):
        message = f"{policy.name} has no enforcing layer; it counts and never denies"
        yield Finding("AG101", Severity.WARNING, policy.name, message)


def _no_account_layer(policy: Policy) -> Iterator[Finding]:
    accounts = {Scope.ID, Scope.USER, Scope.AUTHENTICATOR, Scope.API_KEY}
    if policy.sensitive and not any(set(layer.scopes) & accounts for layer in _enforcing(policy)):
        message = f"{policy.name} has no per-account layer; a botnet with many addresses is not limited"
        yield Finding("AG104", Severity.WARNING, policy.name, message)


def _no_address_layer(policy: Policy) -> Iterator[Finding]:
    addresses = {Scope.IP, Scope.SUBNET, Scope.SITE}
    if policy.sensitive and not any(set(layer.scopes) & addresses for layer in _enforcing(policy)):
        message = f"{policy.name} has no per-address layer; one client may try every account"
        yield Finding("AG105", Severity.WARNING, policy.name, message)


def _unbounded_attempts(policy: Policy) -> Iterator[Finding]:
    failures = any(layer.counts is Counts.FAILURES for layer in policy.layers)
    attempts = any(layer.counts is Counts.ATTEMPTS for layer in _enforcing(policy))
    if failures and not attempts:
        message = f"{policy.name} counts failures but no attempts; a right password may be tried without end (law 5)"
        yield Finding("AG106", Severity.WARNING, policy.name, message)


def _strangers_without_lane(policy: Policy) -> Iterator[Finding]:
    if not any(layer.lane is not Lane.KNOWN for layer in policy.layers):
        message = f'{policy.name} limits known devices only; give a layer lane = "strangers" or "everyone"'
        yield Finding("AG107", Severity.ERROR, policy.name, message)


def _absurd_log(policy: Policy) -> Iterator[Finding]:
    for layer in policy.layers:
        exact = layer.limit.algorithm in {Algorithm.SLIDING_LOG, Algorithm.DISTINCT}
        if exact and layer.limit.amount > ABSURD_LOG:
            message = (
                f"layer {layer.name} of {policy.name} keeps an exact log of {layer.limit.amount} entries a key; "
                'use algorithm = "sliding-counter" or "gcra" above 10,000'
            )
            yield Finding("AG108", Severity.ERROR, policy.name, message)


def _open(policy: Policy) -> Iterator[Finding]:
    if policy.fail_mode is FailMode.OPEN:
        message = f"{policy.name} fails open: whoever can stop the store may guess without limit"
        yield Finding("AG109", Severity.WARNING, policy.name, message)


_CHECKS: Iterable[Callable[[Policy], Iterator[Finding]]] = (
    _nothing_enforced,
    _no_account_layer,
    _no_address_layer,
    _unbounded_attempts,
    _strangers_without_lane,
    _absurd_log,
    _open,
)
