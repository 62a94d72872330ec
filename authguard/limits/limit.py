"""Limit: how much is allowed in how long, and by which algorithm; ``5/15m`` as a value."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from authguard.durations import LONGEST, format_duration, parse_duration

_TEXT = re.compile(r"\s*([0-9]{1,10})\s*/\s*([0-9a-z]{1,40})\s*", re.ASCII)
EXACT_INTEGERS = 2**53
"""Above this a double, which is what Lua counts with, is no longer exact."""
LARGEST_BUDGET = 10**12
"""Units of a budget, which are added up and never multiplied."""


class Algorithm(StrEnum):
    """The ways of counting. The value is the name in TOML, and goes into the counter's key."""

    # An enum's own hash is a call into Python, and a decision looks every counter's way of counting up.
    __hash__ = str.__hash__

    SLIDING_LOG = "sliding-log"
    FIXED_WINDOW = "fixed-window"
    SLIDING_COUNTER = "sliding-counter"
    TOKEN_BUCKET = "token-bucket"
    LEAKY_BUCKET = "leaky-bucket"
    GCRA = "gcra"
    BACKOFF = "backoff"
    DISTINCT = "distinct"
    BUDGET = "budget"


BURSTING = frozenset({Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET, Algorithm.GCRA})
"""Algorithms whose capacity is their burst, not their amount."""
LEASABLE = frozenset({Algorithm.FIXED_WINDOW, Algorithm.SLIDING_COUNTER, *BURSTING})
"""Algorithms of which a process may take units in blocks. The others count exactly, or each charge for itself."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``amount`` in ``period`` microseconds, counted by ``algorithm``.

    ``burst`` is the capacity of a bucket and of GCRA (the amount, unless given). ``gaps`` belong to
    ``backoff``: the microseconds to wait before the first, second, … charge; the last gap repeats, and
    ``amount`` is 1 and ``period`` the longest gap. Raises ``ValueError`` with a sentence for a limit that
    can't be counted exactly.
    """

    amount: int
    period: int
    algorithm: Algorithm = Algorithm.SLIDING_LOG
    burst: int = 0
    gaps: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.amount < 1 or self.period < 1:
            raise ValueError("a limit needs an amount of at least 1 and a period longer than zero")
        if self.period > LONGEST:
            raise ValueError("a limit's period is at most 400 days")
        if self.burst < 0:
            raise ValueError("burst can't be negative")
        if self.burst and self.algorithm not in BURSTING:
            raise ValueError(f"burst belongs to {', '.join(sorted(BURSTING))}; {self.algorithm} has none")
        if bool(self.gaps) != (self.algorithm is Algorithm.BACKOFF):
            raise ValueError("gaps belong to backoff, and backoff needs them")
        if min(self.gaps, default=0) < 0:
            raise ValueError("gaps can't be negative")
        if self.gaps and (self.amount, self.period) != (1, max((1, *self.gaps))):
            raise ValueError("a backoff has the amount 1 and its longest gap as its period")
        if self.algorithm in BURSTING and not self.burst:
            object.__setattr__(self, "burst", self.amount)
        self._check_size()

    def _check_size(self) -> None:
        if self.algorithm is Algorithm.BUDGET:
            if self.amount > LARGEST_BUDGET:
                raise ValueError(f"a budget's amount is at most {LARGEST_BUDGET}; count in a larger unit")
        elif max(self.amount, self.burst) * self.period >= EXACT_INTEGERS:
            raise ValueError("amount times period is too large to be counted exactly; use a shorter period")

    @property
    def capacity(self) -> int:
        """The largest cost that could ever be admitted."""
        return self.burst or self.amount

    @classmethod
    def parse(cls, text: str, algorithm: Algorithm = Algorithm.SLIDING_LOG, burst: int = 0) -> Limit:
        """Return the limit that ``"5/15m"`` names; raises ``ValueError`` with a sentence."""
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ValueError(f"{text[:40]!r} is not a limit; write an amount and a period, such as '5/15m'")
        return cls(int(match[1]), parse_duration(match[2]), algorithm, burst)

    @classmethod
    def backoff(cls, *gaps: int) -> Limit:
        """Return a progressive backoff: ``gaps[i]`` microseconds must pass before charge ``i``, the last repeats."""
        return cls(1, max((1, *gaps)), Algorithm.BACKOFF, gaps=gaps)

    def __str__(self) -> str:
        if self.gaps:
            return "backoff " + ", ".join(format_duration(gap) for gap in self.gaps)
        burst = f" burst {self.burst}" if self.burst and self.burst != self.amount else ""
        return f"{self.amount}/{format_duration(self.period)}{burst}"
