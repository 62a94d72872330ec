"""One block: blocks when the last allowed failure comes, and at no other number, so that it never blocks again."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import Bucket, HandCounter, count_by_hand
from demo_app.naive.hits import Log


class OneBlockCounter(HandCounter):
    """Compares for equality, and lets failures pile up."""

    def wait(self, log: Log, bucket: Bucket, now: float) -> float:
        """Return the seconds until the block ends, where exactly so many failures stand."""
        times = log.times(bucket.key, 0.0)
        return times[-1] + bucket.window - now if len(times) == bucket.amount else 0.0


def block_once(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the block that comes back."""
    return count_by_hand(app, defenses, OneBlockCounter)
