"""Hoping: waits for Redis as long as it takes, and lets everybody pass when it is gone."""

from __future__ import annotations

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.redis_counter import RedisCounter, count_in_redis


class HopingCounter(RedisCounter):
    """Hopes that Redis answers."""

    time_out = None

    def decide_alone(self, key: str) -> bool:
        """Let it pass: better than locking everybody out."""
        return True


def hope_for_redis(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the deadline, and the floor that holds without a store."""
    return count_in_redis(app, defenses, HopingCounter)
