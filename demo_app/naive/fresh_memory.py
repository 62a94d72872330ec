"""Fresh memory: counts in the process while Redis is away, and forgets that once it is back: a budget an outage."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.redis_counter import RedisCounter, count_in_redis


class FreshMemoryCounter(RedisCounter):
    """Keeps what it counts itself no longer than it has to."""

    def __init__(self, url: str, config: Path | None) -> None:
        super().__init__(url, config)
        self._counts: dict[str, int] = {}

    def charge(self, key: str) -> bool:
        """Charge in Redis, and start anew with the memory where that works."""
        allowed = super().charge(key)
        self._counts.clear()
        return allowed

    def decide_alone(self, key: str) -> bool:
        """Charge in memory."""
        self._counts[key] = self._counts.get(key, 0) + 1
        return self._counts[key] <= self.amount


def forget_outages(app: Flask, defenses: Defenses) -> Defenses:
    """Replace local counters that outlive an outage."""
    return count_in_redis(app, defenses, FreshMemoryCounter)
