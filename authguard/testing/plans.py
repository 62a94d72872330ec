"""Plans: short ways to write the counters and plans that the contract suite decides."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from authguard.clock import SECOND
from authguard.limits import Algorithm, Counter, Counts, Limit, Plan
from authguard.limits.plan import KEY_SIZE, NO_GUESS, NO_TAG, TAG_SIZE
from authguard.stores import Store

MINUTE = 60 * SECOND
HOLD = 20 * SECOND
"""How long the suite's attempts may stay unsettled."""
ANN = b"ann's.."
BOB = b"bob's.."
NEWCOMER = b"\xff" * TAG_SIZE
SECRET = b"s1"
OTHER_SECRET = b"s2"


def new_key() -> bytes:
    """Return a key that no other counter has."""
    return secrets.token_bytes(KEY_SIZE)


def attempts(limit: str | Limit = "5/1m", key: bytes = b"", **more: Any) -> Counter:
    """Return a counter of attempts, of its own unless ``key`` is given."""
    return Counter(more.pop("layer", "attempts"), key or new_key(), as_limit(limit), **more)


def failures(limit: str | Limit = "5/1m", key: bytes = b"", **more: Any) -> Counter:
    """Return a counter of failures, of its own unless ``key`` is given."""
    return Counter(more.pop("layer", "failures"), key or new_key(), as_limit(limit), counts=Counts.FAILURES, **more)


def account(limit: str | Limit = "5/1m", key: bytes = b"") -> Counter:
    """Return a counter of an account's failures: the same guess joins, and the client's own success clears."""
    return failures(limit, key, layer="account", joins=True, clears=True)


def reservations(limit: str, key: bytes = b"", **more: Any) -> Counter:
    """Return a budget whose units are reserved before they are spent, of its own unless ``key`` is given."""
    budget = Limit.parse(limit, Algorithm.BUDGET)
    return Counter(more.pop("layer", "budget"), key or new_key(), budget, counts=Counts.RESERVATIONS, **more)


def distinct(limit: str, member: bytes, key: bytes = b"", counts: Counts = Counts.FAILURES) -> Counter:
    """Return a counter of different members."""
    return Counter("distinct", key or new_key(), Limit.parse(limit, Algorithm.DISTINCT), counts=counts, member=member)


def as_limit(limit: str | Limit) -> Limit:
    """Return the limit, read from text where it is text."""
    return Limit.parse(limit) if isinstance(limit, str) else limit


def plan(*counters: Counter, client: bytes = NO_TAG, guess: bytes = NO_GUESS, hold: int = HOLD) -> Plan:
    """Return a plan with a nonce of its own, whose attempt is to be settled."""
    return Plan(counters, client, guess, hold)


def left(store: Store, counter: Counter) -> int:
    """Return how much more ``counter`` would admit now; of a distinct one, how many members that it never saw."""
    member = NEWCOMER if counter.limit.algorithm is Algorithm.DISTINCT else NO_TAG
    reply = store.peek(plan(replace(counter, cost=1, member=member))).reply
    return reply.remaining[0] if reply.waits[0] else reply.remaining[0] + 1


def spend(store: Store, counter: Counter, times: int) -> None:
    """Charge ``counter`` so many times, each admitted."""
    for _ in range(times):
        assert store.decide(plan(counter)).allowed  # noqa: S101 - a condition of the test that asks for it
