"""Late count: looks at the counter, checks the password, then counts the failure; many fit in between."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import Bucket, HandCounter, count_by_hand
from demo_app.naive.hits import Log


class LateCounter(HandCounter):
    """Counts after the fact."""

    def admit(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Charge nothing yet."""

    def fail(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Charge now."""
        super().admit(log, buckets, now)

    def succeed(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Nothing was charged."""


def count_late(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the charge before the check."""
    return count_by_hand(app, defenses, LateCounter)
