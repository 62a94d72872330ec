"""Extending: refused tries are counted too, so that whoever keeps knocking keeps the owner out."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import Bucket, HandCounter, count_by_hand
from demo_app.naive.hits import Log


class ExtendingCounter(HandCounter):
    """Punishes knocking."""

    def deny(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Charge the refused attempt as well."""
        self.admit(log, buckets, now)


def extend_block(app: Flask, defenses: Defenses) -> Defenses:
    """Replace refusals that leave no trace."""
    return count_by_hand(app, defenses, ExtendingCounter)
