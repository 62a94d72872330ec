"""Rules: how long codes live and how often they may be tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from authguard.durations import parse_duration
from authguard.errors import ConfigurationError
from authguard.limits import Limit
from authguard.policy.table import Table

KEYS = "ttl, link_ttl, tries"
"""What ``[codes]`` in ``authguard.toml`` may say."""

VERSIONS = 4
"""Messages that one challenge may have: the first and three more; then a new challenge begins."""


@dataclass(frozen=True, slots=True)
class CodeRules:
    """``ttl`` and ``link_ttl`` are in microseconds, ``tries`` are guesses at one challenge.

    A code lives five minutes. Its link lives a day: as long as the longest silence that others can bring about by
    asking for messages to somebody, so that whoever got the last of them can always get in. Raises
    ``ConfigurationError`` for a code that lives longer than an hour or than its link, a link of more than 30 days, and
    tries that are not within 1 to 10.
    """

    ttl: int = parse_duration("5m")
    link_ttl: int = parse_duration("24h")
    tries: int = 5

    def __post_init__(self) -> None:
        if not 0 < self.ttl <= parse_duration("1h"):
            raise ConfigurationError("codes.ttl must be over zero and at most one hour, such as '5m'")
        if not self.ttl <= self.link_ttl <= parse_duration("30d"):
            raise ConfigurationError("codes.link_ttl must be at least codes.ttl and at most 30 days, such as '24h'")
        if not 1 <= self.tries <= 10:
            raise ConfigurationError("codes.tries must be within 1 to 10; 5 is usual")

    @property
    def challenge_life(self) -> int:
        """Microseconds after which no code of a challenge can live any more."""
        return VERSIONS * self.ttl

    @property
    def try_limit(self) -> Limit:
        """What one challenge may be tried: it is over before the first try would be forgotten."""
        return Limit(self.tries, self.challenge_life)

    @property
    def single(self) -> Limit:
        """Once in all the time in which a code or a link of a challenge may live."""
        return Limit(1, self.challenge_life + self.link_ttl)


def read_rules(document: Mapping[str, Any], file: str = "authguard.toml") -> CodeRules:
    """Return the rules with ``[codes]``, which is ``document``, merged in; raises ``ConfigurationError``."""
    table, base = Table(document, file, ("codes",)), CodeRules()
    ttl = table.convert("ttl", parse_duration, base.ttl, "'5m'")
    link_ttl = table.convert("link_ttl", parse_duration, base.link_ttl, "'24h'")
    tries = table.take("tries", int, base.tries)
    table.finish(KEYS)
    return CodeRules(ttl, link_ttl, tries)
