"""Check: what is doubtful about a set of policies, as findings with stable codes (listed in ``docs/policies.md``)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from authguard.durations import format_duration, parse_duration
from authguard.limits import Algorithm, Counts, Mode
from authguard.limits.limit import LEASABLE
from authguard.policy.finding import Check, Finding, Severity, refuse, warn
from authguard.policy.model import MOST_DIGITS, STRANGERS, FailMode, Lane, Layer, Policy, Scope
from authguard.policy.names import NAMES
from authguard.policy.odds import DOUBTFUL, odds_of

ABSURD_LOG = 10_000
"""Entries above which an exact log is refused: a counter of that size belongs to an approximate algorithm."""
BIG_LOG = 1_000
"""Entries above which an exact log is doubtful: 16 kB a key, read and written with every request."""
SHORTEST_HOLD = parse_duration("10s")
"""Below this a slow but honest login is settled as a failure: five seconds of waiting, then the hash, then the rest."""
LONGEST_HOLD = parse_duration("1h")
LEASES = 100
"""How many leases a limit must hold at least: then ten processes that each hold one are off by a tenth at most."""

_ACCOUNTS = frozenset({Scope.ID, Scope.USER, Scope.AUTHENTICATOR, Scope.API_KEY})
_ADDRESSES = frozenset({Scope.IP, Scope.SUBNET, Scope.SITE})
_KNOWN = frozenset({Lane.EVERYONE, Lane.KNOWN})


def check_policies(policies: Mapping[str, Policy]) -> tuple[Finding, ...]:
    """Return the findings about ``policies``, errors first."""
    findings = [finding for policy in policies.values() for check in _CHECKS for finding in check(policy)]
    findings += _unlike_shares(policies.values())
    return tuple(sorted(findings, key=lambda finding: (finding.severity is not Severity.ERROR, finding.code)))


def _only(layers: Iterable[Layer], scopes: frozenset[Scope]) -> list[Layer]:
    """Return the layers that count ``scopes`` alone: a pair with another scope is a budget for each of its values."""
    return [layer for layer in layers if set(layer.scopes) <= scopes]


def _nothing_enforced(policy: Policy) -> Iterator[Finding]:
    if not policy.enforcing(frozenset(Lane)):
        yield warn("AG101", policy, "layers are all in shadow mode; it counts and never denies")


def _unlike_shares(policies: Iterable[Policy]) -> Iterator[Finding]:
    seen: dict[tuple[str, Lane], tuple[object, str]] = {}
    for policy in policies:
        for layer in policy.layers:
            if layer.share is None:
                continue
            nature = (layer.scopes, layer.limit, layer.counts, layer.distinct)
            first, place = seen.setdefault((layer.share, layer.lane), (nature, f"{policy.name}.layers.{layer.name}"))
            if first != nature:
                message = (
                    f'share "{layer.share}" is one counter; give it the scope, limit, counts and distinct of {place}'
                )
                yield refuse("AG102", policy, message, layer)


def _lane_without_limit(policy: Policy) -> Iterator[Finding]:
    lanes = {layer.lane for layer in policy.layers}
    if not lanes & _KNOWN:
        message = 'layers limit strangers only, so that a stolen device cookie guesses without end; add lane = "known"'
        yield refuse("AG103", policy, message)
    if not lanes & STRANGERS:
        yield refuse("AG107", policy, 'layers limit known devices only; add one with lane = "strangers" or "everyone"')


def _no_account_layer(policy: Policy) -> Iterator[Finding]:
    if policy.sensitive and not _only(policy.enforcing(STRANGERS), _ACCOUNTS | {Scope.TENANT}):
        message = "layers hold none per account alone; a botnet with many addresses is not limited"
        yield warn("AG104", policy, message)


def _no_address_layer(policy: Policy) -> Iterator[Finding]:
    if policy.sensitive and not _only(policy.enforcing(STRANGERS), _ADDRESSES):
        yield warn("AG105", policy, "layers hold none per address alone; one client may try every account")


def _unbounded_attempts(policy: Policy) -> Iterator[Finding]:
    for lane in (Lane.STRANGERS, Lane.KNOWN):
        layers = policy.enforcing(frozenset({Lane.EVERYONE, lane}))
        counted = {layer.counts for layer in layers}
        if counted == {Counts.FAILURES}:
            message = f'layers of lane "{lane}" count no attempts; what a success refunds is spent without end (law 5)'
            yield warn("AG106", policy, message)


def _absurd_log(policy: Policy) -> Iterator[Finding]:
    for layer in policy.layers:
        amount = layer.limit.amount
        if layer.limit.algorithm not in {Algorithm.SLIDING_LOG, Algorithm.DISTINCT} or amount <= BIG_LOG:
            continue
        message = f"limit keeps an exact log of {amount} entries a key"
        if amount > ABSURD_LOG:
            message += '; above 10,000 use algorithm = "sliding-counter" or "gcra"'
            yield refuse("AG108", policy, message, layer)
        else:
            yield warn("AG113", policy, message + '; "sliding-counter" or "gcra" would cost less', layer)


def _open(policy: Policy) -> Iterator[Finding]:
    if policy.fail_mode is FailMode.OPEN:
        message = 'fail_mode is "open"; whoever can stop the store may guess without limit'
        yield warn("AG109", policy, message)


def _generous_known_lane(policy: Policy) -> Iterator[Finding]:
    for known in policy.layers:
        if known.lane is not Lane.KNOWN:
            continue
        scopes = set(known.scopes) - {Scope.DEVICE}
        for other in policy.enforcing(STRANGERS):
            same = (other.counts, other.distinct, other.limit.period) == (
                known.counts,
                known.distinct,
                known.limit.period,
            )
            if same and set(other.scopes) == scopes and known.limit.capacity > other.limit.capacity:
                message = (
                    f'limit gives known devices more than layer "{other.name}" gives strangers; a cookie can be stolen'
                )
                yield warn("AG110", policy, message, known)


def _challenges_open_all(policy: Policy) -> Iterator[Finding]:
    layers = _only(policy.enforcing(STRANGERS | {Lane.CHALLENGED}), _ACCOUNTS | {Scope.TENANT})
    guesses = any(layer.counts is Counts.FAILURES for layer in layers)
    if guesses and all(layer.mode is Mode.STEP_UP for layer in layers):
        message = 'layers all step up, so that whoever solves challenges guesses without end; add lane = "challenged"'
        yield warn("AG111", policy, message)


def _odd_hold(policy: Policy) -> Iterator[Finding]:
    if any(layer.counts is Counts.FAILURES for layer in policy.layers):
        if policy.hold < SHORTEST_HOLD:
            message = f"hold is {format_duration(policy.hold)}; an honest login slower than that counts as a failure"
            yield warn("AG112", policy, message)
        if policy.hold > LONGEST_HOLD:
            message = f"hold is {format_duration(policy.hold)}; every attempt is remembered for that long"
            yield warn("AG112", policy, message)


def _shrinking_gaps(policy: Policy) -> Iterator[Finding]:
    for layer in policy.layers:
        if any(later < earlier for earlier, later in pairwise(layer.limit.gaps)):
            yield warn("AG114", policy, "gaps shrink; a backoff that grows easier rewards whoever goes on", layer)


def _long_odds(policy: Policy) -> Iterator[Finding]:
    takeover = odds_of(policy).takeover
    if takeover is not None and takeover > DOUBTFUL:
        message = (
            f"digits is {policy.digits}, so that a year of guesses takes {takeover:.1%} of the accounts over; set it "
            f"to {min(MOST_DIGITS, policy.digits + 2)}, or lower the limits of the account"
        )
        yield warn("AG116", policy, message)


def _strict_lease(policy: Policy) -> Iterator[Finding]:
    for layer in policy.layers:
        reason = _why_not_leased(policy, layer) if layer.lease else None
        if reason is not None:
            yield refuse("AG117", policy, f"lease is {layer.lease}, but {reason}", layer)


def _why_not_leased(policy: Policy, layer: Layer) -> str | None:
    """Return why a layer's limit is too strict for a lease; ``None`` where it is loose enough."""
    if policy.sensitive:
        return "the policy is sensitive, and its limits are to be exact; drop the lease"
    if layer.counts is not Counts.ATTEMPTS:
        return "failures are given back one by one; drop the lease"
    if layer.limit.algorithm not in LEASABLE:
        return f"{layer.limit.algorithm} promises to be exact; use one of {', '.join(sorted(LEASABLE))}, or drop it"
    if layer.cost > layer.lease:
        return f"one request costs {layer.cost}; make the lease larger, or drop it"
    if min(layer.limit.amount, layer.limit.capacity) < LEASES * layer.lease:
        return f"the limit holds fewer than {LEASES} of that; make the lease smaller, or drop it"
    return None


_CHECKS: tuple[Check, ...] = (
    _nothing_enforced,
    _lane_without_limit,
    _no_account_layer,
    _no_address_layer,
    _unbounded_attempts,
    _absurd_log,
    _open,
    _generous_known_lane,
    _challenges_open_all,
    _odd_hold,
    _shrinking_gaps,
    _long_odds,
    _strict_lease,
    *NAMES,
)
