"""Reference: what a ledger owes, kept as a plain list of what was spent and what really went out."""

from __future__ import annotations

from dataclasses import dataclass

Use = tuple[str | None, str]
"""A destination and a key."""


@dataclass(slots=True)
class Spent:
    """One use that was dispatched: when, by which key, for how much; whether it went out, and was given back."""

    at: int
    use: Use
    units: int
    out: bool = True
    returned: bool = False


class Reference:
    """Everything that was spent."""

    def __init__(self) -> None:
        self.uses: list[Spent] = []

    def spent(self, now: int, period: int, country: str = "") -> int:
        """Return how many units were spent in the ``period`` that ends now, on numbers that begin with ``country``."""
        return sum(
            each.units
            for each in self.uses
            if not each.returned and now - period < each.at <= now and (each.use[0] or "").startswith(country)
        )

    def most(self, period: int, country: str = "") -> int:
        """Return how many units were spent in the busiest window of that length."""
        return max((self.spent(each.at, period, country) for each in self.uses), default=0)

    def doubled(self, keep: int) -> list[Use]:
        """Return uses that went out twice within ``keep``."""
        return [
            one.use
            for place, one in enumerate(self.uses)
            for other in self.uses[:place]
            if one.use == other.use and one.out and other.out and not other.returned and abs(one.at - other.at) < keep
        ]
