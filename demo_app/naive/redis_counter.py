"""Redis counter: what a careful developer writes over Redis; the naive ones change one step of it each."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from flask import Flask
from werkzeug.exceptions import ServiceUnavailable, TooManyRequests

from authguard.policy import load_policies
from demo_app.contact import fold
from demo_app.gate import Defenses, Place
from demo_app.naive.hand_counter import HandAttempt
from demo_app.open_gate import OpenGate


class RedisCounter:
    """Counts an account's failures in fixed windows: charged first, given back on success, 503 without a server.

    Its number is that of the login policy's account layer, whatever the policy asked for.
    """

    time_out: float | None = 0.25
    """Seconds."""

    def __init__(self, url: str, config: Path | None) -> None:
        # Here: every demo imports this file, and most of them count elsewhere.
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.exceptions import RedisError
        from redis.retry import Retry

        limit = load_policies(config)["login"].layer("account").limit
        self.amount, self.window = limit.amount, limit.period // 1_000_000
        # Any: redis-py types one client for callers that await and for those that don't.
        self.redis: Any = Redis.from_url(url, socket_timeout=self.time_out, retry=Retry(NoBackoff(), 0))
        self.failed = RedisError

    @contextmanager
    def attempt(self, policy: str, *, id: str, secret: str) -> Iterator[HandAttempt]:
        """Enter an attempt, or answer 429."""
        now = time.time()
        key = f"naive:{policy}:{fold(id)}:{now // self.window:.0f}"
        if not self.admit(key):
            raise TooManyRequests("Too many tries.", retry_after=math.ceil(self.window - now % self.window))
        attempt = HandAttempt()
        yield attempt
        if attempt.succeeded:
            self.release(key)

    def offer(self, policy: str, *, id: str) -> None:
        """Have none to make."""

    def count(self, policy: str, *, id: str) -> None:
        """Count an action, by the same number."""
        with self.attempt(policy, id=id, secret=""):
            pass

    def confirmation(self, *, id: str) -> AbstractContextManager[Place]:
        """Leave it to the unique index that no contact has two accounts."""
        return OpenGate().confirmation(id=id)

    def admit(self, key: str) -> bool:
        """Charge ``key``; return whether that was still allowed."""
        try:
            return self.charge(key)
        except self.failed:
            return self.decide_alone(key)

    def charge(self, key: str) -> bool:
        """Add one to ``key`` and return whether that was still allowed."""
        with self.redis.pipeline() as pipeline:
            pipeline.incr(key)
            pipeline.expire(key, self.window)
            return cast(int, pipeline.execute()[0]) <= self.amount

    def decide_alone(self, key: str) -> bool:
        """Return whether ``key`` is allowed although Redis can't say so; this answers 503."""
        raise ServiceUnavailable("The counters can't be reached.", retry_after=1)

    def release(self, key: str) -> None:
        """Give a charge back, where Redis can be reached."""
        try:
            self.redis.decr(key)
        except self.failed:
            return


def count_in_redis(app: Flask, defenses: Defenses, counter: type[RedisCounter]) -> Defenses:
    """Put ``counter`` in the place of authguard's, on the Redis that authguard was to use."""
    config = app.config["AUTHGUARD_CONFIG"]
    return replace(defenses, gate=counter(app.config["AUTHGUARD_STORE"], Path(config) if config else None))
