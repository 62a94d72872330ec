"""The model: a policy protects one action by several layers, each a family of counters."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from authguard.durations import parse_duration
from authguard.limits import Algorithm, Counts, Limit, Mode


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


class Lane(StrEnum):
    """Which requests a layer concerns: those from an account's known devices, the others, or both."""

    EVERYONE = "everyone"
    STRANGERS = "strangers"
    KNOWN = "known"


class FailMode(StrEnum):
    """What happens when the store can't answer: 503, tight in-process counters, or no counting at all."""

    CLOSED = "closed"
    LOCAL = "local"
    OPEN = "open"


class Kind(StrEnum):
    """What an identifier may be."""

    EMAIL = "email"
    PHONE = "phone"
    USERNAME = "username"


@dataclass(frozen=True, slots=True)
class Layer:
    """One counter family: for each value of ``scopes`` (several scopes form a pair) at most ``limit``.

    ``distinct`` makes it count different values of that scope instead of requests. Layers of different policies
    that name the same ``share`` charge one counter. Raises ``ValueError`` with a sentence for what can't work.
    """

    name: str
    scopes: tuple[Scope, ...]
    limit: Limit
    counts: Counts = Counts.ATTEMPTS
    mode: Mode = Mode.ENFORCE
    lane: Lane = Lane.EVERYONE
    distinct: Scope | None = None
    share: str | None = None

    def __post_init__(self) -> None:
        if not self.scopes or len(set(self.scopes)) != len(self.scopes):
            raise ValueError("a layer needs a scope, and each scope once")
        if Scope.GLOBAL in self.scopes and len(self.scopes) > 1:
            raise ValueError("the global scope can't be part of a pair")
        distinct = self.limit.algorithm is Algorithm.DISTINCT
        if distinct != (self.distinct is not None):
            raise ValueError('algorithm = "distinct" and the key distinct belong together')
        if self.distinct in self.scopes:
            raise ValueError("a layer can't count different values of its own scope")
        if self.counts is Counts.FAILURES and not distinct and self.limit.algorithm is not Algorithm.SLIDING_LOG:
            raise ValueError(f"{self.limit.algorithm} can't count failures; use sliding-log or distinct")
        if self.lane is not Lane.KNOWN and Scope.DEVICE in self.scopes:
            raise ValueError('only a layer with lane = "known" can count devices: a stranger has none')

    @property
    def proves(self) -> bool:
        """True for a log of failures on the account itself: there a success joins and clears (laws 3 and 4)."""
        return (
            self.counts is Counts.FAILURES
            and self.distinct is None
            and bool({Scope.ID, Scope.AUTHENTICATOR} & set(self.scopes))
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """What protects one action.

    ``kinds`` are the forms an identifier may have; ``default_region`` (ISO 3166 alpha-2) reads national phone
    numbers. ``hold`` is how many microseconds an attempt may stay unsettled before it is a failure for good.
    ``sensitive`` answers tell nothing but a coarse ``Retry-After``. ``unidentified`` is the limit of the one bucket
    for requests without a usable identifier; without it they are answered 400 (law 7).
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
        names = [layer.name for layer in self.layers]
        if len(set(names)) != len(names):
            raise ValueError("two layers have one name")
        if not self.kinds:
            raise ValueError("a policy needs at least one kind of identifier")

    def layer(self, name: str) -> Layer:
        """Return the layer called ``name``; raises ``KeyError``."""
        return next(layer for layer in self.layers if layer.name == name)

    def needs(self, scope: Scope) -> bool:
        """Return whether any layer counts ``scope``."""
        return any(scope in layer.scopes or scope is layer.distinct for layer in self.layers)
