"""Clearing: a success forgives the whole address, so that an attacker's own account wipes the slate."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import Bucket, HandCounter, count_by_hand
from demo_app.naive.hits import Log


class ClearingCounter(HandCounter):
    """Resets on success."""

    def succeed(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Forget account and address."""
        for bucket in buckets:
            log.clear(bucket.key)


def clear_address(app: Flask, defenses: Defenses) -> Defenses:
    """Replace what a success leaves standing."""
    return count_by_hand(app, defenses, ClearingCounter)
