"""The model: a policy protects one action by several layers, each a family of counters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from authguard.durations import parse_duration
from authguard.identity import IdentifierKind
from authguard.limits import Algorithm, Counts, Limit, Mode

Kind = IdentifierKind
"""What an identifier may be."""

UNIDENTIFIED = "unidentified"
"""The name of the layer that counts requests without a usable identifier."""

E = TypeVar("E", bound=StrEnum)

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}", re.ASCII)
_REGION = re.compile(r"[A-Z]{2}", re.ASCII)


class Scope(StrEnum):
    """Whom a layer counts."""

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


class FailMode(StrEnum):
    """What happens when the store can't answer: 503, tight in-process counters, or no counting at all."""

    CLOSED = "closed"
    LOCAL = "local"
    OPEN = "open"


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
    its own. A ``gate`` is never charged by a request: something else shuts it, for the limit's period. Names and shares
    are lower-case letters, digits, ``-`` and ``_``, at most 64. Raises ``ValueError`` with a sentence for what can't
    work.
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

    def __post_init__(self) -> None:
        check_name("name", self.name)
        if self.share is not None:
            check_name("share", self.share)
        for key, choices in (("mode", Mode), ("lane", Lane), ("counts", Counts)):
            object.__setattr__(self, key, _member(key, choices, getattr(self, key)))
        self._check_scopes()
        self._check_counting()
        self._check_cost()

    @property
    def proves(self) -> bool:
        """True for a log of failures on the account itself: there a success joins and clears (laws 3 and 4)."""
        return (
            self.counts is Counts.FAILURES
            and self.distinct is None
            and bool({Scope.ID, Scope.AUTHENTICATOR} & set(self.scopes))
        )

    def _check_scopes(self) -> None:
        object.__setattr__(self, "scopes", tuple(_member("scope", Scope, scope) for scope in self.scopes))
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
            object.__setattr__(self, "distinct", _member("distinct", Scope, self.distinct))
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


@dataclass(frozen=True, slots=True)
class Policy:
    """What protects one action.

    ``kinds`` are the forms an identifier may have; ``default_region`` (ISO 3166 alpha-2) reads national phone
    numbers. ``hold`` is how many microseconds an attempt may stay unsettled before it is a failure for good.
    ``sensitive`` answers tell nothing but a coarse ``Retry-After``. ``unidentified`` is the limit of the one bucket
    that stands in for every layer whose scope a request lacks; without it such requests are answered 400 (law 7).
    Raises ``ValueError`` with a sentence for what can't work.
    """

    name: str
    layers: tuple[Layer, ...]
    kinds: tuple[Kind, ...] = (Kind.EMAIL, Kind.PHONE, Kind.USERNAME)
    default_region: str | None = None
    fail_mode: FailMode = FailMode.LOCAL
    hold: int = parse_duration("2m")
    sensitive: bool = True
    unidentified: Limit | None = None

    def __post_init__(self) -> None:
        check_name("name", self.name)
        object.__setattr__(self, "fail_mode", _member("fail_mode", FailMode, self.fail_mode))
        object.__setattr__(self, "layers", tuple(self.layers))
        object.__setattr__(self, "kinds", tuple(_member("kinds", Kind, kind) for kind in self.kinds))
        if not self.layers:
            raise Unfit("layers", "must not be empty: a policy without layers protects nothing")
        self._check_names()
        if not self.kinds or len(set(self.kinds)) != len(self.kinds):
            raise Unfit("kinds", "must name at least one kind of identifier, and each once")
        if self.default_region is not None and not _REGION.fullmatch(self.default_region):
            raise Unfit("default_region", "must be two capital letters (ISO 3166), such as 'GB'")
        if self.hold < 1:
            raise Unfit("hold", "must be longer than zero")
        if self.unidentified is not None and self.unidentified.algorithm is Algorithm.DISTINCT:
            raise Unfit(UNIDENTIFIED, "can't count distinct values: use another algorithm")

    @property
    def fallback(self) -> Layer | None:
        """The layer that counts what can't be identified; everybody shares it."""
        if self.unidentified is None:
            return None
        return Layer(UNIDENTIFIED, (Scope.GLOBAL,), self.unidentified)

    def layer(self, name: str) -> Layer:
        """Return the layer called ``name``; raises ``KeyError``."""
        for layer in (*self.layers, self.fallback):
            if layer is not None and layer.name == name:
                return layer
        raise KeyError(name)

    @property
    def gates(self) -> tuple[Layer, ...]:
        """The layers that no request charges."""
        return tuple(layer for layer in self.layers if layer.gate)

    @property
    def tells_devices_apart(self) -> bool:
        """True when known devices have a lane of their own."""
        return any(layer.lane is Lane.KNOWN for layer in self.layers)

    def needs(self, scope: Scope) -> bool:
        """Return whether any layer counts ``scope``."""
        return any(scope in layer.scopes or scope is layer.distinct for layer in self.layers)

    def _check_names(self) -> None:
        names = [layer.name for layer in self.layers]
        if UNIDENTIFIED in names:
            raise Unfit("layers", f"may have none called {UNIDENTIFIED!r}: the policy's own bucket is")
        if len(set(names)) != len(names):
            raise Unfit("layers", "must not have two layers of one name")
        shared = [(layer.share, layer.lane) for layer in self.layers if layer.share is not None]
        if len(set(shared)) != len(shared):
            raise Unfit("layers", "must not have two layers of one share in one lane: they would be one counter")


def check_name(key: str, name: object) -> None:
    """Raise :class:`Unfit` unless ``name`` can stand in a metric's label, a header and a TOML table's name alike."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise Unfit(
            key, "must be lower-case letters, digits, '-' and '_', at most 64, and begin with a letter or digit"
        )


def _member(key: str, choices: type[E], value: str) -> E:
    try:
        return choices(value)
    except ValueError:
        raise Unfit(key, f"must be one of {', '.join(choices)}") from None
