"""Plans: what a store is asked in every benchmark. Four layers, under keys that nobody used before."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from functools import partial

from authguard.clock import SECOND
from authguard.limits import Algorithm, Counter, Counts, Limit, Outcome, Plan
from authguard.limits.plan import GUESS_SIZE, KEY_SIZE, NO_TAG, TAG_SIZE
from authguard.stores import Store
from benchmarks.rounds import Call, Prepare

HOUR = 3600 * SECOND
LAYERS = ("id", "ip", "subnet", "global")
TEN = Limit(10, HOUR)
STANDING = 5
"""Charges that stand in every counter before it is measured, unless said otherwise: the limits are half full."""


def fresh_keys() -> list[bytes]:
    """Return a key for each layer."""
    return [secrets.token_bytes(KEY_SIZE) for _ in LAYERS]


def plan(keys: Sequence[bytes], limit: Limit = TEN, counts: Counts = Counts.ATTEMPTS, cost: int = 1) -> Plan:
    """Return what a login asks: an attempt with a guess and a nonce."""
    member = secrets.token_bytes(TAG_SIZE) if limit.algorithm is Algorithm.DISTINCT else NO_TAG
    counters = (Counter(name, key, limit, cost, counts, member=member) for name, key in zip(LAYERS, keys, strict=True))
    return Plan(tuple(counters), b"client1", secrets.token_bytes(GUESS_SIZE), hold=60 * SECOND)


def filled(
    store: Store, calls: int, charges: int = STANDING, limit: Limit = TEN, counts: Counts = Counts.ATTEMPTS
) -> Iterator[Plan]:
    """Yield a plan for each of ``calls``, over counters of its own in which ``charges`` stand."""
    for _ in range(calls):
        keys = fresh_keys()
        if charges:
            assert store.decide(plan(keys, limit, counts, charges)).allowed
        yield plan(keys, limit, counts)


def decisions(store: Store, charges: int = STANDING, limit: Limit = TEN, counts: Counts = Counts.ATTEMPTS) -> Prepare:
    """Return decisions over such plans."""
    return lambda calls: (partial(store.decide, each) for each in filled(store, calls, charges, limit, counts))


def settlements(store: Store) -> Prepare:
    """Return attempts that are charged to logs of failures, and succeed."""

    def settle(asked: Plan) -> bool:
        receipt = store.decide(asked).receipt
        return receipt is not None and store.settle(receipt, Outcome.SUCCESS)

    def prepare(calls: int) -> Iterator[Call]:
        for each in filled(store, calls, counts=Counts.FAILURES):
            yield partial(settle, each)

    return prepare
