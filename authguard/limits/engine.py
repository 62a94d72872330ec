"""Engine: decides a plan over the states of its counters and says what the states become. Pure.

The in-process stores run this code; the Redis scripts are its twin. Both are held to the same answers by the tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from authguard.limits import budget, failure_log
from authguard.limits.counting import NOT_CHARGED, Arithmetic, Count, refuse
from authguard.limits.decision import Outcome, Receipt, Reply, new
from authguard.limits.limit import Algorithm
from authguard.limits.meters import PLAIN, failure_meter_of, meter_of
from authguard.limits.plan import NO_GUESS, Counter, Counts, Mode, Plan

Change = tuple[int, Any, int]
"""``(position, state, lifetime)``: what becomes of the counter at ``position``, and for how many microseconds it lives.

An empty state means that the counter is gone. Keys of the counter's ``previous`` are gone as well: their content is
part of the state. A plain tuple, as a decision makes one for every counter.
"""

Plain = Mapping[Algorithm, Arithmetic]
_ATTEMPTS, _FAILURES, _SHADOW = Counts.ATTEMPTS, Counts.FAILURES, Mode.SHADOW
_NOTHING: tuple[tuple[()], ...] = ((),) * 6
"""The columns of a plan without counters."""


def gather(counter: Counter, states: Sequence[Any], now: int, plain: Plain = PLAIN) -> Any:
    """Return one state out of those under the counter's own key and its previous keys."""
    arithmetic = plain.get(counter.limit.algorithm) if counter.counts is _ATTEMPTS else None
    whole = states[0]
    for older in states[1:]:
        if older and whole and arithmetic is not None:
            whole = arithmetic.merge(whole, older, counter.limit, now)
        elif older:
            whole = meter_of(counter).merge(whole, older, counter, now) if whole else older
    return whole


def decide(plan: Plan, states: Sequence[Any], now: int, plain: Plain = PLAIN) -> tuple[Reply, list[Change]]:
    """Decide ``plan`` over one gathered state a counter; no changes when it is denied.

    Where attempts are counted by the algorithms that a store has of its own, ``plain`` are those.
    """
    counters = plan.counters
    counts, may_join = [], False
    for counter, state in zip(counters, states, strict=True):
        limit = counter.limit
        arithmetic = plain.get(limit.algorithm) if counter.counts is _ATTEMPTS else None
        if arithmetic is not None:
            count = arithmetic.count(state, limit, counter.cost, now)
        else:
            count = meter_of(counter).count(state, counter, plan, now)
            may_join = may_join or counter.joins
        counts.append(count if counter.charges else refuse(count[0], count[1]))
    joined = may_join and plan.guess != NO_GUESS and _joins(plan, states, counts, now)
    if joined:
        for position, counter in enumerate(counters):
            if counter.counts is _FAILURES:
                counts[position] = refuse(0, counts[position][1])
    # Every count has six fields; to have that checked would cost as much as counting one more counter.
    waits, lefts, _, stamps, _, then_lefts = zip(*counts) if counts else _NOTHING  # noqa: B905
    if any(waits) and any(wait and counter.mode is not _SHADOW for counter, wait in zip(counters, waits, strict=True)):
        pending = _pending(plan, states, waits, now)
        return new(Reply, (False, joined, now, waits, lefts, (NOT_CHARGED,) * len(waits), pending)), []
    changes = [(position, count[2], count[4]) for position, count in enumerate(counts) if count[2]]
    return new(Reply, (True, joined, now, waits, then_lefts, stamps, (0,) * len(waits))), changes


def _pending(plan: Plan, states: Sequence[bytes], waits: Sequence[int], now: int) -> tuple[int, ...]:
    pending = [
        _under_way(counter, state, now, plan.hold) if wait and counter.counts is not _ATTEMPTS else 0
        for counter, state, wait in zip(plan.counters, states, waits, strict=True)
    ]
    return tuple(pending)


def _under_way(counter: Counter, state: bytes, now: int, hold: int) -> int:
    if counter.counts is _FAILURES:
        return failure_log.under_way(state, counter.limit, now, hold)
    return budget.under_way(state, counter.limit, now)


def _joins(plan: Plan, states: Sequence[bytes], counts: Sequence[Count], now: int) -> bool:
    """Return whether the same guess already stands, and will when the counters of attempts admit the plan."""
    mark, stands = plan.client + plan.guess, 0
    for counter, state in zip(plan.counters, states, strict=True):
        if counter.joins:
            stands = max(stands, failure_log.stands_for(state, counter.limit, now, mark))
    return stands > 0 and all(
        count[0] < stands or counter.counts is _FAILURES or counter.mode is _SHADOW
        for counter, count in zip(plan.counters, counts, strict=True)
    )


def settle(receipt: Receipt, outcome: Outcome, states: Sequence[bytes], now: int) -> list[Change]:
    """Return what settling an attempt changes; the store makes sure that a receipt settles once.

    Failure: the attempt's charges are no longer under way. Partial: they are given back. Success: given back, and
    what the same client failed on this very account is cleared from the counters that clear.
    """
    plan = receipt.plan
    changes = []
    for index, counter in enumerate(plan.counters):
        before = after = states[index]
        if counter.counts is not _FAILURES or not before:
            continue
        meter = failure_meter_of(counter)
        if receipt.stamps[index] != NOT_CHARGED:
            settled = meter.fail if outcome is Outcome.FAILURE else meter.refund
            after = settled(before, counter, plan, receipt.stamps[index])
        if outcome is Outcome.SUCCESS and counter.clears:
            after = failure_log.clear(after, plan.client)
        if after != before:
            changes.append((index, after, failure_log.lifetime(after, counter.limit, now) if after else 0))
    return changes
