"""Name quota: an address on which a few different names failed is refused for an hour, and an office is one address."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import Bucket, HandCounter, count_by_hand
from demo_app.naive.hits import Log

NAMES = 3
HOUR = 3600


class NameQuota(HandCounter):
    """Also counts the different accounts that fail from an address."""

    def wait(self, log: Log, bucket: Bucket, now: float) -> float:
        """Wait for the names too."""
        names = log.times(f"names {bucket.key}", now - HOUR)
        quota = names[-NAMES] + HOUR - now if len(names) >= NAMES else 0.0
        return max(quota, super().wait(log, bucket, now))

    def fail(self, log: Log, buckets: tuple[Bucket, ...], now: float) -> None:
        """Count a name that failed for the first time this hour."""
        account, *addresses = buckets
        for address in addresses:
            seen = f"name {account.key} {address.key}"
            if not log.times(seen, now - HOUR):
                log.add(f"names {address.key}", now)
            log.add(seen, now)


def refuse_offices(app: Flask, defenses: Defenses) -> Defenses:
    """Replace a challenge to strangers by a refusal of everybody."""
    return count_by_hand(app, defenses, NameQuota)
