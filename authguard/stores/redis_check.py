"""Check: whether a Redis server will keep what the store promises, asked once at start."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from authguard.errors import StoreError, StoreUnavailable
from authguard.limits import Counter, Counts, Limit, Outcome, Plan
from authguard.limits.plan import KEY_SIZE
from authguard.policy.finding import Severity
from authguard.stores.redis_connection import LoginRefused
from authguard.stores.redis_wire import pack

if TYPE_CHECKING:
    from authguard.stores.redis import RedisStore
    from authguard.stores.redis_route import RedisRoute

OLDEST = (7, 0)
"""The oldest version that the tests run against."""
_SECONDS = 5.0
"""How long each question may take."""


@dataclass(frozen=True, slots=True)
class RedisFinding:
    """One doubt about a server. ``code`` is stable; ``message`` is a sentence that says what to change."""

    code: str
    severity: Severity
    message: str

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def check_redis(store: RedisStore, route: RedisRoute) -> tuple[RedisFinding, ...]:
    """Return what speaks against using the server; nothing when all is well.

    AG401 unreachable, too slow or full, AG402 too old, AG403 no master, AG404 drops counters when memory is short,
    AG405 lacks a right that decisions need, AG406 may not be asked, AG407 refuses the login. Decides and settles one
    plan over a counter of its own.
    """
    try:
        # Not within the store's deadline: the first connection is made, a name looked up, and it is asked but once.
        _ask(route, "TIME")
    except LoginRefused as error:
        return (RedisFinding("AG407", Severity.ERROR, str(error)),)
    except StoreError as error:
        return (RedisFinding("AG401", Severity.ERROR, str(error)),)
    try:
        found = [*_look(_info(route), route)]
    except StoreError as error:
        message = f"the server could not be checked; allow the user INFO and ROLE ({error})"
        found = [RedisFinding("AG406", Severity.WARNING, message)]
    return (*found, *_try(store))


def _look(info: dict[str, str], route: RedisRoute) -> Iterator[RedisFinding]:
    version = info.get("redis_version", "0.0")
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        wanted = ".".join(map(str, OLDEST))
        yield RedisFinding("AG402", Severity.ERROR, f"Redis {version} is too old; use {wanted} or newer, or Valkey")
    if _ask(route, "ROLE")[0] != b"master":
        yield RedisFinding("AG403", Severity.ERROR, "the server is a replica, which refuses writes; name its master")
    policy = info.get("maxmemory_policy", "noeviction")
    if int(info.get("maxmemory", "0")) and policy != "noeviction":
        message = f"maxmemory-policy {policy} drops counters when memory is short; set it to noeviction"
        yield RedisFinding("AG404", Severity.ERROR, message)


def _info(route: RedisRoute) -> dict[str, str]:
    text = _ask(route, "INFO").decode()
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _ask(route: RedisRoute, *words: str) -> Any:
    return route.ask(pack(*words), time.monotonic() + _SECONDS)


def _try(store: RedisStore) -> Iterator[RedisFinding]:
    """Do what requests will do, over a counter that success takes away again."""
    limit, key = Limit.parse("1/1m"), secrets.token_bytes(KEY_SIZE)
    plan = Plan((Counter("check", key, limit, counts=Counts.FAILURES),), hold=limit.period)
    try:
        try:
            receipt = store.decide(plan).receipt
            if receipt is not None:
                store.settle(receipt, Outcome.SUCCESS)
        finally:
            # Where the right to end keys is missing, what was written stays for ever.
            store.forget([key, plan.nonce])
    except StoreUnavailable as error:
        yield RedisFinding("AG405", Severity.ERROR, f"a decision can't be made on this server: {error}")
    except StoreError as error:
        yield RedisFinding("AG401", Severity.ERROR, str(error))
