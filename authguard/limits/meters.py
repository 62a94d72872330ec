"""Meters: each way of counting behind one shape, so that the engine need not know which one it drives."""

from __future__ import annotations

from typing import Protocol

from authguard.limits import (
    backoff,
    distinct,
    failure_log,
    fixed_window,
    gcra,
    leaky_bucket,
    sliding_counter,
    sliding_log,
    token_bucket,
)
from authguard.limits.limit import Algorithm, Limit
from authguard.limits.plan import NO_GUESS, Counter, Counts, Plan


class Arithmetic(Protocol):
    """What the file of a plain algorithm defines. States are bytes, empty before the first charge."""

    def probe(self, state: bytes, limit: Limit, cost: int, now: int) -> tuple[int, int]:
        """Return ``(wait, remaining)``: microseconds until ``cost`` would be admitted (0: now), and what is left."""
        ...

    def charge(self, state: bytes, limit: Limit, cost: int, now: int) -> tuple[bytes, int, int]:
        """Return ``(state, stamp, remaining)`` after charging ``cost``, which ``probe`` has just admitted."""
        ...

    def merge(self, one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
        """Return the state in which everything that counts in either counts."""
        ...

    def lifetime(self, state: bytes, limit: Limit, now: int) -> int:
        """Return for how many microseconds, at least 1, the state differs from an empty one."""
        ...


class PlainMeter:
    """Counts attempts by one of the plain algorithms; nothing is ever given back."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self._arithmetic = arithmetic

    def probe(self, state: bytes, counter: Counter, plan: Plan, now: int) -> tuple[int, int]:
        return self._arithmetic.probe(state, counter.limit, counter.cost, now)

    def charge(self, state: bytes, counter: Counter, plan: Plan, now: int) -> tuple[bytes, int, int]:
        return self._arithmetic.charge(state, counter.limit, counter.cost, now)

    def merge(self, one: bytes, other: bytes, counter: Counter, now: int) -> bytes:
        return self._arithmetic.merge(one, other, counter.limit, now)

    def lifetime(self, state: bytes, counter: Counter, now: int) -> int:
        return self._arithmetic.lifetime(state, counter.limit, now)

    def pending(self, state: bytes, counter: Counter, plan: Plan, now: int) -> int:
        return 0

    def refund(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        return state

    def fail(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        return state


class FailureMeter:
    """Counts failures in a log whose entries know which attempt they belong to."""

    def probe(self, state: bytes, counter: Counter, plan: Plan, now: int) -> tuple[int, int]:
        return failure_log.probe(state, counter.limit, counter.cost, now)

    def charge(self, state: bytes, counter: Counter, plan: Plan, now: int) -> tuple[bytes, int, int]:
        return failure_log.charge(state, counter.limit, counter.cost, now, plan.client + plan.guess)

    def merge(self, one: bytes, other: bytes, counter: Counter, now: int) -> bytes:
        return failure_log.merge(one, other, counter.limit, now)

    def lifetime(self, state: bytes, counter: Counter, now: int) -> int:
        return failure_log.lifetime(state, counter.limit, now)

    def pending(self, state: bytes, counter: Counter, plan: Plan, now: int) -> int:
        return failure_log.under_way(state, counter.limit, now, plan.hold)

    def refund(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        return failure_log.refund(state, counter.cost, stamp, plan.client + plan.guess)

    def fail(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        return failure_log.fail(state, counter.cost, stamp, plan.client + plan.guess)


class DistinctMeter(FailureMeter):
    """Counts different members; of attempts at once, of failures only while they are not refunded."""

    def probe(self, state: bytes, counter: Counter, plan: Plan, now: int) -> tuple[int, int]:
        return distinct.probe(state, counter.limit, now, counter.member)

    def charge(self, state: bytes, counter: Counter, plan: Plan, now: int) -> tuple[bytes, int, int]:
        open_ended = plan.hold and counter.counts is Counts.FAILURES
        flag = failure_log.UNDER_WAY if open_ended else failure_log.FAILED
        return distinct.charge(state, counter.limit, now, counter.member, flag)

    def refund(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        return failure_log.refund(state, 1, stamp, counter.member + NO_GUESS)

    def fail(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes:
        return distinct.prune(failure_log.fail(state, 1, stamp, counter.member + NO_GUESS))


class Meter(Protocol):
    """One way of counting, driven by a counter and the plan it belongs to."""

    def probe(self, state: bytes, counter: Counter, plan: Plan, now: int) -> tuple[int, int]: ...
    def charge(self, state: bytes, counter: Counter, plan: Plan, now: int) -> tuple[bytes, int, int]: ...
    def merge(self, one: bytes, other: bytes, counter: Counter, now: int) -> bytes: ...
    def lifetime(self, state: bytes, counter: Counter, now: int) -> int: ...
    def pending(self, state: bytes, counter: Counter, plan: Plan, now: int) -> int: ...
    def refund(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes: ...
    def fail(self, state: bytes, counter: Counter, plan: Plan, stamp: int) -> bytes: ...


_FAILURES = FailureMeter()
_DISTINCT = DistinctMeter()
_PLAIN: dict[Algorithm, Meter] = {
    Algorithm.SLIDING_LOG: PlainMeter(sliding_log),
    Algorithm.FIXED_WINDOW: PlainMeter(fixed_window),
    Algorithm.SLIDING_COUNTER: PlainMeter(sliding_counter),
    Algorithm.TOKEN_BUCKET: PlainMeter(token_bucket),
    Algorithm.LEAKY_BUCKET: PlainMeter(leaky_bucket),
    Algorithm.GCRA: PlainMeter(gcra),
    Algorithm.BACKOFF: PlainMeter(backoff),
}


def meter_of(counter: Counter) -> Meter:
    """Return the meter that counts ``counter``."""
    algorithm = counter.limit.algorithm
    if algorithm is Algorithm.DISTINCT:
        return _DISTINCT
    if counter.counts is Counts.FAILURES:
        return _FAILURES
    return _PLAIN[algorithm]
