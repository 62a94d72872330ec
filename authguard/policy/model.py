"""The model: a policy protects one action by several layers, each a family of counters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from authguard.durations import parse_duration
from authguard.identity import IdentifierKind
from authguard.limits import Algorithm, Limit, Mode
from authguard.policy.layer import Lane, Layer, Scope, Unfit, check_name, member

__all__ = ["UNIDENTIFIED", "FailMode", "Kind", "Lane", "Layer", "Policy", "Scope", "Unfit", "check_name"]

Kind = IdentifierKind
"""What an identifier may be."""

UNIDENTIFIED = "unidentified"
"""The name of the layer that counts requests without a usable identifier."""

FEWEST_DIGITS, MOST_DIGITS = 6, 12
"""Digits of the shortest and the longest code."""

STRANGERS = frozenset({Lane.EVERYONE, Lane.STRANGERS})
"""The lanes of the layers that count strangers."""

_REGION = re.compile(r"[A-Z]{2}", re.ASCII)


class FailMode(StrEnum):
    """What happens when the store can't answer: 503, tight in-process counters, or no counting at all."""

    CLOSED = "closed"
    LOCAL = "local"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Policy:
    """What protects one action.

    ``kinds`` are the forms an identifier may have; ``default_region`` (ISO 3166 alpha-2) reads national phone
    numbers. ``hold`` is how many microseconds an attempt may stay unsettled before it is a failure for good.
    ``sensitive`` answers tell nothing but a coarse ``Retry-After``. ``unidentified`` is the limit of the one bucket
    that stands in for every layer whose scope a request lacks; without it such requests are answered 400 (law 7).
    ``digits`` is how long the codes are that are guessed under the policy (0: what is guessed is no code), and
    ``live_codes`` how many of them are right at a time. Raises ``ValueError`` with a sentence for what can't work.
    """

    name: str
    layers: tuple[Layer, ...]
    kinds: tuple[Kind, ...] = (Kind.EMAIL, Kind.PHONE, Kind.USERNAME)
    default_region: str | None = None
    fail_mode: FailMode = FailMode.LOCAL
    hold: int = parse_duration("2m")
    sensitive: bool = True
    unidentified: Limit | None = None
    digits: int = 0
    live_codes: int = 1
    _by_name: Mapping[str, Layer] = field(init=False, repr=False, compare=False)
    _needed: frozenset[Scope] = field(init=False, repr=False, compare=False)
    tells_devices_apart: bool = field(init=False, repr=False, compare=False)
    """True when known devices have a lane of their own."""
    gates: tuple[Layer, ...] = field(init=False, repr=False, compare=False)
    """The layers that no request charges."""

    def __post_init__(self) -> None:
        check_name("name", self.name)
        object.__setattr__(self, "fail_mode", member("fail_mode", FailMode, self.fail_mode))
        object.__setattr__(self, "layers", tuple(self.layers))
        object.__setattr__(self, "kinds", tuple(member("kinds", Kind, kind) for kind in self.kinds))
        if not self.layers:
            raise Unfit("layers", "must not be empty: a policy without layers protects nothing")
        self._check_names()
        if not self.kinds or len(set(self.kinds)) != len(self.kinds):
            raise Unfit("kinds", "must name at least one kind of identifier, and each once")
        if self.default_region is not None and not _REGION.fullmatch(self.default_region):
            raise Unfit("default_region", "must be two capital letters (ISO 3166), such as 'GB'")
        if self.hold < 1:
            raise Unfit("hold", "must be longer than zero")
        if self.digits and not FEWEST_DIGITS <= self.digits <= MOST_DIGITS:
            raise Unfit("digits", f"must be within {FEWEST_DIGITS} and {MOST_DIGITS}, or 0 where no codes are guessed")
        if not 1 <= self.live_codes <= 10:
            raise Unfit("live_codes", "must be within 1 and 10")
        if self.unidentified is not None and self.unidentified.algorithm is Algorithm.DISTINCT:
            raise Unfit(UNIDENTIFIED, "can't count distinct values: use another algorithm")
        self._index()

    @property
    def fallback(self) -> Layer | None:
        """The layer that counts what can't be identified; everybody shares it."""
        if self.unidentified is None:
            return None
        return Layer(UNIDENTIFIED, (Scope.GLOBAL,), self.unidentified)

    def layer(self, name: str) -> Layer:
        """Return the layer called ``name``; raises ``KeyError``."""
        found = self.find(name)
        if found is None:
            raise KeyError(name)
        return found

    def find(self, name: str) -> Layer | None:
        """Return the layer called ``name``, ``None`` where there is none."""
        return self._by_name.get(name)

    def enforcing(self, lanes: frozenset[Lane]) -> list[Layer]:
        """Return the layers of ``lanes`` that may deny."""
        return [layer for layer in self.layers if layer.mode is not Mode.SHADOW and layer.lane in lanes]

    def scopes_of(self, name: str) -> tuple[Scope, ...]:
        """Return what the layer called ``name`` counts; nothing for a counter that no layer describes."""
        found = self.find(name)
        return found.scopes if found is not None else ()

    def needs(self, scope: Scope) -> bool:
        """Return whether any layer counts ``scope``."""
        return scope in self._needed

    def _index(self) -> None:
        """Work out what every request asks."""
        named = [*self.layers, self.fallback] if self.fallback else self.layers
        needed = {scope for layer in self.layers for scope in (*layer.scopes, layer.distinct) if scope is not None}
        object.__setattr__(self, "_by_name", MappingProxyType({layer.name: layer for layer in named}))
        object.__setattr__(self, "_needed", frozenset(needed))
        object.__setattr__(self, "tells_devices_apart", any(layer.lane is Lane.KNOWN for layer in self.layers))
        object.__setattr__(self, "gates", tuple(layer for layer in self.layers if layer.gate))

    def _check_names(self) -> None:
        names = [layer.name for layer in self.layers]
        if UNIDENTIFIED in names:
            raise Unfit("layers", f"may have none called {UNIDENTIFIED!r}: the policy's own bucket is")
        if len(set(names)) != len(names):
            raise Unfit("layers", "must not have two layers of one name")
        shared = [(layer.share, layer.lane) for layer in self.layers if layer.share is not None]
        if len(set(shared)) != len(shared):
            raise Unfit("layers", "must not have two layers of one share in one lane: they would be one counter")
