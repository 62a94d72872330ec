"""Window: counts in windows that begin on the clock, so that two budgets meet at each edge."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import Bucket, HandCounter, count_by_hand
from demo_app.naive.hits import Log


class WindowCounter(HandCounter):
    """Forgets everything when the clock enters the next window."""

    def wait(self, log: Log, bucket: Bucket, now: float) -> float:
        """Return the seconds until the next window if this one is full."""
        start = now - now % bucket.window
        return start + bucket.window - now if len(log.times(bucket.key, start)) >= bucket.amount else 0.0


def count_in_fixed_windows(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the sliding log."""
    return count_by_hand(app, defenses, WindowCounter)
