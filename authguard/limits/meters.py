"""Meters: each way of counting, driven by a counter and the plan it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from authguard.limits import (
    backoff,
    budget,
    distinct,
    failure_log,
    fixed_window,
    gcra,
    leaky_bucket,
    sliding_counter,
    sliding_log,
    token_bucket,
)
from authguard.limits.counting import Arithmetic, Count
from authguard.limits.limit import Algorithm
from authguard.limits.plan import NO_GUESS, Counter, Counts, Plan


class Meter(Protocol):
    """One way of counting; ``count`` and ``merge`` as in :class:`~authguard.limits.counting.Arithmetic`."""

    def count(self, state: bytes, counter: Counter, plan: Plan, now: int) -> Count: ...
    def merge(self, one: bytes, other: bytes, counter: Counter, now: int) -> bytes: ...


class PlainMeter:
    """Counts attempts by one of the plain algorithms; nothing is ever given back."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic = arithmetic

    def count(self, state: bytes, counter: Counter, plan: Plan, now: int) -> Count:
        return self._arithmetic.count(state, counter.limit, counter.cost, now)

    def merge(self, one: bytes, other: bytes, counter: Counter, now: int) -> bytes:
        merged: bytes = self._arithmetic.merge(one, other, counter.limit, now)
        return merged


class FailureMeter:
    """Counts failures in a log whose entries know which attempt they belong to, and can give them back."""

    def count(self, state: bytes, counter: Counter, plan: Plan, now: int) -> Count:
        return failure_log.count(state, counter.limit, counter.cost, now, plan.client + plan.guess)

    def merge(self, one: bytes, other: bytes, counter: Counter, now: int) -> bytes:
        return failure_log.merge(one, other, counter.limit, now)

    def refund(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        """Return the state without what this attempt charged at ``stamp``."""
        return failure_log.refund(state, counter.cost, stamp, plan.client + plan.guess)

    def fail(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        """Return the state in which what this attempt charged at ``stamp`` is no longer under way."""
        return failure_log.fail(state, counter.cost, stamp, plan.client + plan.guess)


class DistinctMeter(FailureMeter):
    """Counts different members; of attempts at once, of failures only while they are not refunded."""

    def count(self, state: bytes, counter: Counter, plan: Plan, now: int) -> Count:
        open_ended = plan.hold and counter.counts is Counts.FAILURES
        flag = failure_log.UNDER_WAY if open_ended else failure_log.FAILED
        return distinct.count(state, counter.limit, now, counter.member, flag)

    def refund(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        return failure_log.refund(state, 1, stamp, counter.member + NO_GUESS)

    def fail(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        return distinct.prune(failure_log.fail(state, 1, stamp, counter.member + NO_GUESS))


class ReservationMeter:
    """Counts what is reserved of a budget, and what was spent; :mod:`~authguard.limits.record` moves it on."""

    def count(self, state: bytes, counter: Counter, plan: Plan, now: int) -> Count:
        return budget.count(state, counter.limit, counter.cost, now, plan.tag, plan.hold)

    def merge(self, one: bytes, other: bytes, counter: Counter, now: int) -> bytes:
        return budget.merge(one, other, counter.limit, now)


PLAIN: dict[Algorithm, Arithmetic] = {
    Algorithm.SLIDING_LOG: sliding_log,
    Algorithm.FIXED_WINDOW: fixed_window,
    Algorithm.SLIDING_COUNTER: sliding_counter,
    Algorithm.TOKEN_BUCKET: token_bucket,
    Algorithm.LEAKY_BUCKET: leaky_bucket,
    Algorithm.GCRA: gcra,
    Algorithm.BACKOFF: backoff,
    Algorithm.BUDGET: budget,
}
"""The algorithms to which neither the counter nor the plan matters: the engine asks them itself."""

_FAILURES: dict[Algorithm, FailureMeter] = {
    Algorithm.SLIDING_LOG: FailureMeter(),
    Algorithm.DISTINCT: DistinctMeter(),
}
_ATTEMPTS: dict[Algorithm, Meter] = {
    **{algorithm: PlainMeter(arithmetic) for algorithm, arithmetic in PLAIN.items()},
    Algorithm.DISTINCT: DistinctMeter(),
}
_METERS: dict[Counts, Mapping[Algorithm, Meter]] = {
    Counts.ATTEMPTS: _ATTEMPTS,
    Counts.FAILURES: _FAILURES,
    Counts.RESERVATIONS: {Algorithm.BUDGET: ReservationMeter()},
}


def meter_of(counter: Counter) -> Meter:
    """Return the meter that counts ``counter``."""
    return _METERS[counter.counts][counter.limit.algorithm]


def failure_meter_of(counter: Counter) -> FailureMeter:
    """Return the meter of a counter that counts failures."""
    return _FAILURES[counter.limit.algorithm]
