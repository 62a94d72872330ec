"""Channel: what a way to spend money may cost, and whom it may reach, as a frozen value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from authguard.durations import parse_duration
from authguard.identity import DEFAULT_SEND_RULES, SendRules
from authguard.limits import Algorithm, Limit

_NAME = re.compile(r"[a-z]{1,32}", re.ASCII)
_TAKEN = frozenset({"total", "country", "destination", "range", "gate", "unverified", "young", "usual", "meanwhile"})


class Kind(StrEnum):
    """What a channel's destinations are: phone numbers, mail addresses, or whatever the application names."""

    PHONE = "phone"
    MAIL = "mail"
    PLAIN = "plain"


def budget(text: str) -> Limit:
    """Return the budget that ``"5000/1d"`` names; raises ``ValueError`` with a sentence."""
    return Limit.parse(text, Algorithm.BUDGET)


@dataclass(frozen=True, slots=True)
class Breaker:
    """When messages to strangers in one country stop, because nobody uses the codes in them (SMS pumping).

    Counted are strangers' messages of the last ``window`` that are older than a code's ``life`` and whose code was not
    used. They stop for ``rest`` once there are more than ``floor``, more than ``percent`` of what is usual there (the
    codes that strangers in that country used in the last seven days, for each ``window``), and more than ``meanwhile``
    percent of the codes that they used in the time in which those went unused. Times in microseconds.
    """

    floor: int = 20
    percent: int = 20
    window: int = parse_duration("1h")
    life: int = parse_duration("5m")
    rest: int = parse_duration("2h")
    meanwhile: int = 50

    def __post_init__(self) -> None:
        if self.floor < 1 or not (0 <= self.percent <= 100 and 0 <= self.meanwhile <= 100):
            raise ValueError("a breaker needs a floor of at least 1, and percent and meanwhile from 0 to 100")
        if min(self.window, self.life, self.rest) < 1:
            raise ValueError("a breaker's window, life and rest must be longer than zero")


DEFAULT_BREAKER = Breaker()
DEFAULT_CAPS: Mapping[str, Limit] = MappingProxyType({"day": budget("5000/1d"), "hour": budget("500/1h")})
"""Both: a day alone would let everything go at midnight, an hour alone 12,000 in a day."""
_A_DAY_EACH = budget("5/1d")
_A_DAY_IN_A_ROW = budget("20/1d")


@dataclass(frozen=True, slots=True)
class Channel:
    """What one channel may spend, in whole units of whatever ``unit`` says: messages, or the minor units of a currency.

    ``caps`` hold all together, for everyone. Of each, and of each country's, ``known_share`` percent are kept for known
    users and ``stranger_share`` percent for strangers, so that neither starves the other. A known user is one for whom
    the application vouches, or whose destination was verified at least ``known_after`` and at most ``known_for`` ago.
    ``price`` is what one costs unless the caller says so, ``prices`` what it costs in a region; ``countries`` are caps
    of single regions, ``country`` that of each other one. ``destination`` is how many one destination gets, and again
    as many when the application vouches. ``range_limit`` is how many strangers' numbers that differ in the last
    ``range_digits`` digits only get one without ever using it. A reservation is void after ``hold``; for ``keep`` after
    it was dispatched its key is good for no other. Raises ``ValueError`` with a sentence for what can't work.
    """

    name: str
    kind: Kind = Kind.PLAIN
    caps: Mapping[str, Limit] = field(default_factory=lambda: dict(DEFAULT_CAPS))
    unit: str = "messages"
    price: int = 1
    prices: Mapping[str, int] = field(default_factory=dict)
    known_share: int = 20
    stranger_share: int = 20
    known_after: int = parse_duration("7d")
    known_for: int = parse_duration("180d")
    countries: Mapping[str, Limit] = field(default_factory=dict)
    country: Limit | None = None
    destination: Limit | None = _A_DAY_EACH
    range_limit: Limit | None = _A_DAY_IN_A_ROW
    range_digits: int = 3
    breaker: Breaker | None = DEFAULT_BREAKER
    rules: SendRules = DEFAULT_SEND_RULES
    default_region: str | None = None
    hold: int = parse_duration("2m")
    keep: int = parse_duration("24h")

    def __post_init__(self) -> None:
        if not self.caps:
            raise ValueError("a channel needs at least one cap, such as day = '5000/1d'")
        if not all(_NAME.fullmatch(name) and name not in _TAKEN for name in self.caps):
            raise ValueError(f"a cap's name is lower-case letters, and none of {', '.join(sorted(_TAKEN))}")
        self._check_limits()
        self._check_shares()
        if not 0 < self.known_after < self.known_for:
            raise ValueError("known_after must be longer than zero and shorter than known_for")
        if self.hold < 1 or self.keep < self.hold:
            raise ValueError("hold must be longer than zero, and keep no shorter than that")
        if not 1 <= self.range_digits <= 6:
            raise ValueError("range_digits is a number from 1 to 6")

    def _check_limits(self) -> None:
        limits = [*self.caps.values(), *self.countries.values(), self.country, self.destination, self.range_limit]
        if any(limit is not None and limit.algorithm is not Algorithm.BUDGET for limit in limits):
            raise ValueError("a channel's limits are budgets")
        if min([self.price, *self.prices.values()]) < 1:
            raise ValueError("a price is a whole number of at least 1")

    def _check_shares(self) -> None:
        if min(self.known_share, self.stranger_share) < 0 or self.known_share + self.stranger_share > 100:
            raise ValueError("the two shares are percents, and together at most 100")

    def price_in(self, region: str | None) -> int:
        """Return what one costs in ``region``."""
        return self.prices.get(region, self.price) if region is not None else self.price

    def cap_in(self, region: str | None) -> Limit | None:
        """Return the cap of ``region``, ``None`` where it has none."""
        return self.countries.get(region, self.country) if region is not None else None


CHANNELS: Mapping[str, Channel] = MappingProxyType(
    {"sms": Channel("sms", Kind.PHONE), "mail": Channel("mail", Kind.MAIL)}
)
"""The channels there are where nothing else is said."""
