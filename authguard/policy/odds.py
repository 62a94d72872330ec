"""Odds: what an attacker who uses every guess that a policy allows gets for it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from authguard.durations import parse_duration
from authguard.limits import Algorithm, Limit, Mode
from authguard.policy.model import Lane, Layer, Policy, Scope

DAY = parse_duration("24h")
YEAR = parse_duration("365d")
DOUBTFUL = 0.01
"""Odds a year and account above which a policy is doubtful: a hundred accounts of ten thousand."""

_ACCOUNT = frozenset({Scope.ID, Scope.USER, Scope.AUTHENTICATOR, Scope.TENANT})
_STRANGERS = frozenset({Lane.EVERYONE, Lane.STRANGERS})


@dataclass(frozen=True, slots=True)
class Odds:
    """What a stranger can do to one account in the worst case, with any number of addresses and challenges solved.

    ``a_day`` and ``a_year`` count guesses, ``None`` where nothing bounds them. ``takeover`` is the probability that
    one of a year's guesses is right, ``None`` where the policy's secrets are no codes.
    """

    policy: str
    a_day: int | None
    a_year: int | None
    takeover: float | None

    @property
    def per_million(self) -> float | None:
        """Accounts of a million that a year of this is expected to take over."""
        return None if self.takeover is None else self.takeover * 1_000_000


def odds_of(policy: Policy) -> Odds:
    """Return the odds under ``policy``.

    Each guess is taken to be right with a probability of ``live_codes / 10**digits``, apart from the others: codes are
    drawn evenly and anew (``1 - (1 - p)**n``).
    """
    day, year = (_guesses(policy, span) for span in (DAY, YEAR))
    takeover = None
    if policy.digits:
        chance = policy.live_codes / 10**policy.digits
        takeover = 1.0 if year is None else -math.expm1(year * math.log1p(-chance))
    return Odds(policy.name, day, year, takeover)


def _guesses(policy: Policy, span: int) -> int | None:
    """Return the most guesses at one account in ``span``; solved challenges open what steps up, and cost their own."""
    own = [layer for layer in policy.layers if not layer.gate and set(layer.scopes) <= _ACCOUNT]
    strangers = [layer for layer in own if layer.lane in _STRANGERS]
    enforced = _least((layer for layer in strangers if layer.mode is Mode.ENFORCE), span)
    stepping = _least((layer for layer in strangers if layer.mode is Mode.STEP_UP), span)
    challenged = _least((layer for layer in own if layer.lane is Lane.CHALLENGED and layer.mode is Mode.ENFORCE), span)
    whole = min(enforced, stepping + challenged)
    return None if math.isinf(whole) else int(whole)


def _least(layers: Iterable[Layer], span: int) -> float:
    counting = (layer for layer in layers if layer.distinct is None)
    return min((_most(layer.limit, span) for layer in counting), default=math.inf)


def _most(limit: Limit, span: int) -> int:
    """Return the most charges that ``limit`` admits in any ``span``."""
    if limit.algorithm is Algorithm.BACKOFF:
        return _steps(limit.gaps, span)
    if limit.algorithm is Algorithm.SLIDING_LOG:
        return limit.amount * -(-span // limit.period)
    if limit.burst:
        return limit.burst + limit.amount * span // limit.period
    # Windows begin when they like: one more than fit is touched.
    return limit.amount * (-(-span // limit.period) + 1)


def _steps(gaps: tuple[int, ...], span: int) -> int:
    climbed, at = 1, 0
    while climbed < len(gaps) and at + gaps[climbed] < span:
        at += gaps[climbed]
        climbed += 1
    last = gaps[-1]
    if climbed < len(gaps) or last == 0:
        return climbed
    return climbed + (span - 1 - at) // last
