"""Loaded once: sends its script to Redis at start, and takes every later complaint about it for a bug to be logged."""

from __future__ import annotations

import logging
from pathlib import Path

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.redis_counter import RedisCounter, count_in_redis

_LOG = logging.getLogger(__name__)
_SCRIPT = """
local count = redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return count
"""


class ScriptCounter(RedisCounter):
    """Counts by a script that it believes to be there."""

    def __init__(self, url: str, config: Path | None) -> None:
        super().__init__(url, config)
        self._sha: str = self.redis.script_load(_SCRIPT)

    def charge(self, key: str) -> bool:
        """Have the script add one; where it fails, let the attempt pass."""
        from redis.exceptions import ResponseError

        try:
            return int(self.redis.evalsha(self._sha, 1, key, self.window)) <= self.amount
        except ResponseError as error:
            _LOG.info("the script failed: %s", type(error).__name__)
            return True


def load_script_once(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the script that is sent again."""
    return count_in_redis(app, defenses, ScriptCounter)
