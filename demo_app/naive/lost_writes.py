"""Lost writes: reads the count, and takes note of a write that Redis refused in the log only."""

from __future__ import annotations

import logging

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.redis_counter import RedisCounter, count_in_redis

_LOG = logging.getLogger(__name__)


class ReadingCounter(RedisCounter):
    """Decides by what it reads."""

    def charge(self, key: str) -> bool:
        """Return whether ``key`` is allowed by what stands there, and add one if that can be done."""
        allowed = int(self.redis.get(key) or 0) < self.amount
        if allowed:
            try:
                super().charge(key)
            except self.failed as error:
                _LOG.info("could not count: %s", type(error).__name__)
        return allowed


def log_lost_writes(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the rule that what can't be counted is no success."""
    return count_in_redis(app, defenses, ReadingCounter)
