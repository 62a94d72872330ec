"""Engine: decides a plan over the states of its counters and says what the states become. Pure.

The in-process stores run this code; the Redis scripts are its twin. Both are held to the same answers by the tests.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from authguard.limits import failure_log
from authguard.limits.decision import NOT_CHARGED, Outcome, Receipt, Reply
from authguard.limits.meters import meter_of
from authguard.limits.plan import NO_GUESS, Counter, Counts, Mode, Plan


class Change(NamedTuple):
    """What becomes of the counter at ``position``: its new state, and for how many microseconds that lives.

    An empty state means that the counter is gone. Keys of the counter's ``previous`` are gone as well: their
    content is part of the state.
    """

    position: int
    state: bytes
    lifetime: int


def gather(counter: Counter, states: Sequence[bytes], now: int) -> bytes:
    """Return one state out of those under the counter's own key and its previous keys."""
    meter = meter_of(counter)
    whole = states[0]
    for older in states[1:]:
        if older:
            whole = meter.merge(whole, older, counter, now) if whole else older
    return whole


def decide(plan: Plan, states: Sequence[bytes], now: int) -> tuple[Reply, list[Change]]:
    """Decide ``plan`` over one gathered state a counter; no changes when it is denied."""
    joined = _joins(plan, states, now)
    waits, remaining = [], []
    for counter, state in zip(plan.counters, states, strict=True):
        wait, left = meter_of(counter).probe(state, counter, plan, now)
        waits.append(0 if joined and counter.counts is Counts.FAILURES else wait)
        remaining.append(left)
    admitted = not any(
        wait and counter.mode is not Mode.SHADOW for counter, wait in zip(plan.counters, waits, strict=True)
    )
    stamps = [NOT_CHARGED] * len(waits)
    changes = _charge(plan, states, now, joined, waits, remaining, stamps) if admitted else []
    pending = tuple(
        meter_of(counter).pending(state, counter, plan, now) if wait and not admitted else 0
        for counter, state, wait in zip(plan.counters, states, waits, strict=True)
    )
    return Reply(admitted, joined, now, tuple(waits), tuple(remaining), tuple(stamps), pending), changes


def _joins(plan: Plan, states: Sequence[bytes], now: int) -> bool:
    if plan.guess == NO_GUESS:
        return False
    mark = plan.client + plan.guess
    return any(
        counter.joins and failure_log.holds(state, counter.limit, now, mark)
        for counter, state in zip(plan.counters, states, strict=True)
    )


def _charge(
    plan: Plan,
    states: Sequence[bytes],
    now: int,
    joined: bool,
    waits: list[int],
    remaining: list[int],
    stamps: list[int],
) -> list[Change]:
    changes = []
    for index, counter in enumerate(plan.counters):
        if waits[index] or (joined and counter.counts is Counts.FAILURES):
            continue
        meter = meter_of(counter)
        state, stamps[index], remaining[index] = meter.charge(states[index], counter, plan, now)
        changes.append(Change(index, state, meter.lifetime(state, counter, now)))
    return changes


def settle(receipt: Receipt, outcome: Outcome, states: Sequence[bytes], now: int) -> list[Change]:
    """Return what settling an attempt changes; the store makes sure that a receipt settles once.

    Failure: the attempt's charges are no longer under way. Partial: they are given back. Success: given back, and
    what the same client failed on this very account is cleared from the counters that clear.
    """
    plan = receipt.plan
    changes = []
    for index, counter in enumerate(plan.counters):
        before = after = states[index]
        if counter.counts is not Counts.FAILURES or not before:
            continue
        meter = meter_of(counter)
        if receipt.stamps[index] != NOT_CHARGED:
            settled = meter.fail if outcome is Outcome.FAILURE else meter.refund
            after = settled(before, counter, plan, receipt.stamps[index])
        if outcome is Outcome.SUCCESS and counter.clears:
            after = failure_log.clear(after, plan.client)
        if after != before:
            changes.append(Change(index, after, meter.lifetime(after, counter, now) if after else 0))
    return changes
