"""Reference: what a ledger owes, kept as a plain list of what really went out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Sent:
    """One use that was dispatched: when, by which key, for how much, and whether it was given back."""

    at: int
    use: tuple[str | None, str]
    units: int
    returned: bool = False


class Reference:
    """Everything that went out."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []

    def spent(self, now: int, period: int) -> int:
        """Return how many units went out in the ``period`` that ends now."""
        return sum(each.units for each in self.sent if not each.returned and now - period < each.at <= now)

    def most(self, period: int) -> int:
        """Return how many units went out in the busiest window of that length."""
        return max((self.spent(each.at, period) for each in self.sent), default=0)

    def doubled(self, keep: int) -> list[tuple[str | None, str]]:
        """Return uses that were dispatched twice within ``keep``."""
        return [
            one.use
            for place, one in enumerate(self.sent)
            for other in self.sent[:place]
            if one.use == other.use and not other.returned and abs(one.at - other.at) < keep
        ]
