"""Layers: one counter family of a policy, and the words it is described in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from authguard.limits import Algorithm, Counts, Limit, Mode

E = TypeVar("E", bound=StrEnum)

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII)


class Scope(StrEnum):
    """Whom a layer counts."""

    __hash__ = str.__hash__  # a request looks every layer's scopes up, and an enum's own hash is a call into Python

    ID = "id"
    IP = "ip"
    SUBNET = "subnet"
    SITE = "site"
    GLOBAL = "global"
    USER = "user"
    DEVICE = "device"
    TENANT = "tenant"
    API_KEY = "api-key"
    DOMAIN = "domain"
    DESTINATION = "destination"
    AUTHENTICATOR = "authenticator"
    SECRET = "secret"


class Lane(StrEnum):
    """Which requests a layer concerns: those from an account's known devices, the others, or both.

    ``CHALLENGED`` are the requests, whoever makes them, that have just passed a challenge: they count there besides
    their own lane, whose step-up layers they have passed.
    """

    EVERYONE = "everyone"
    STRANGERS = "strangers"
    KNOWN = "known"
    CHALLENGED = "challenged"


class Unfit(ValueError):
    """A value that can't be part of a layer or a policy: ``key`` is its name in TOML, ``reason`` a predicate."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"{key} {reason}")
        self.key = key
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Layer:
    """One counter family: for each value of ``scopes`` (several scopes form a pair) at most ``limit``.

    ``distinct`` makes it count different values of that scope instead of requests. Layers of different policies
    that name the same ``share`` charge one counter. ``cost`` is what a request costs here unless it brings a cost of
    its own. A ``gate`` is never charged by a request: something else shuts it, for the limit's period.
    ``lease`` lets a process take so many units at once and serve them from memory (0: none); ``apart`` lets the store
    keep a global layer in a place of its own, where its URL names one. Names and shares are lower-case letters, digits,
    ``-`` and ``_``, at most 64. Raises ``ValueError`` with a sentence for what can't work.
    """

    name: str
    scopes: tuple[Scope, ...]
    limit: Limit
    counts: Counts = Counts.ATTEMPTS
    mode: Mode = Mode.ENFORCE
    lane: Lane = Lane.EVERYONE
    distinct: Scope | None = None
    share: str | None = None
    cost: int = 1
    gate: bool = False
    lease: int = 0
    apart: bool = False

    def __post_init__(self) -> None:
        check_name("name", self.name)
        if self.share is not None:
            check_name("share", self.share)
        for key, choices in (("mode", Mode), ("lane", Lane), ("counts", Counts)):
            object.__setattr__(self, key, member(key, choices, getattr(self, key)))
        self._check_scopes()
        self._check_counting()
        self._check_cost()
        self._check_place()

    @property
    def proves(self) -> bool:
        """True for a log of failures on the account itself: there a success joins and clears (laws 3 and 4)."""
        return (
            self.counts is Counts.FAILURES
            and self.distinct is None
            and bool({Scope.ID, Scope.AUTHENTICATOR} & set(self.scopes))
        )

    def _check_scopes(self) -> None:
        object.__setattr__(self, "scopes", tuple(member("scope", Scope, scope) for scope in self.scopes))
        if not self.scopes:
            raise Unfit("scope", "must name at least one scope")
        if len(set(self.scopes)) != len(self.scopes):
            raise Unfit("scope", "names a scope twice")
        for alone in (Scope.GLOBAL, Scope.SECRET):
            if alone in self.scopes and len(self.scopes) > 1:
                raise Unfit("scope", f"can't pair {alone} with another scope: drop one of them")
        if Scope.DEVICE in (*self.scopes, self.distinct) and self.lane is not Lane.KNOWN:
            raise Unfit("lane", 'must be "known" where devices are counted: a stranger has none')

    def _check_counting(self) -> None:
        algorithm = self.limit.algorithm
        if self.distinct is not None:
            object.__setattr__(self, "distinct", member("distinct", Scope, self.distinct))
        if algorithm is Algorithm.DISTINCT and self.distinct is None:
            raise Unfit("distinct", 'is missing: algorithm = "distinct" needs the scope whose values it counts')
        if algorithm is not Algorithm.DISTINCT and self.distinct is not None:
            raise Unfit("distinct", f'belongs to algorithm = "distinct", not to {algorithm}')
        if self.distinct in (*self.scopes, Scope.GLOBAL):
            raise Unfit("distinct", f"is {self.distinct}, of which there is only one here: count another scope")
        if Scope.SECRET in (*self.scopes, self.distinct):
            self._check_secret()
        if self.gate:
            self._check_gate()
        if self.counts is Counts.RESERVATIONS:
            raise Unfit("counts", 'can\'t be "reservations": what is put aside and spent belongs to [spend]')
        if self.counts is Counts.FAILURES and algorithm not in (Algorithm.SLIDING_LOG, Algorithm.DISTINCT):
            raise Unfit("counts", f'can\'t be "failures" with {algorithm}: use sliding-log or distinct')

    def _check_secret(self) -> None:
        if self.distinct is not None:
            raise Unfit("distinct", "does not go with secrets: what is kept of one must not say whose it was")
        if self.limit.algorithm is not Algorithm.SLIDING_LOG or self.counts is not Counts.FAILURES:
            raise Unfit("scope", 'can be "secret" only where a sliding-log counts failures')

    def _check_gate(self) -> None:
        if self.scopes != (Scope.GLOBAL,):
            raise Unfit("scope", "must be global for a gate: it is shut for all whom its lane concerns")
        if self.limit.algorithm is not Algorithm.SLIDING_LOG or self.limit.amount != 1:
            raise Unfit("limit", "must be 1 in a period, without an algorithm: for so long a gate stays shut")
        if self.counts is not Counts.ATTEMPTS or self.share is not None:
            raise Unfit("gate", "counts nothing and shares nothing: drop counts and share")

    def _check_cost(self) -> None:
        if type(self.cost) is not int or self.cost < 1:
            raise Unfit("cost", "must be a whole number of at least 1")
        single = self.distinct is not None or Scope.SECRET in self.scopes
        largest = 1 if single else self.limit.capacity
        if self.cost > largest:
            raise Unfit("cost", f"is {self.cost}, but the layer never admits more than {largest} at once")

    def _check_place(self) -> None:
        if type(self.lease) is not int or self.lease < 0:
            raise Unfit("lease", "must be a whole number: how many units a process takes at once, or 0")
        if not self.apart:
            return
        if self.scopes != (Scope.GLOBAL,):
            raise Unfit("apart", "is for scope global alone: only a counter that everybody shares makes one place hot")
        if self.gate or self.counts is not Counts.ATTEMPTS or self.limit.algorithm is not Algorithm.SLIDING_LOG:
            raise Unfit("apart", "needs a sliding-log that counts attempts: its charge must be returnable, and final")


def check_name(key: str, name: object) -> None:
    """Raise :class:`Unfit` unless ``name`` can stand in a metric's label, a header and a TOML table's name alike."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Unfit(
            key, "must be lower-case letters, digits, '-' and '_', at most 64, and begin with a letter or digit"
        )


def member(key: str, choices: type[E], value: str) -> E:
    """Return the one of ``choices`` that ``value`` names; raises :class:`Unfit`."""
    try:
        return choices(value)
    except ValueError:
        raise Unfit(key, f"must be one of {', '.join(choices)}") from None
