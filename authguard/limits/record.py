"""Record: what a store remembers of an admitted plan under its nonce, and what may still become of it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from authguard.limits import budget, engine
from authguard.limits.decision import ANY_TIME, NOT_CHARGED, Outcome, Receipt, Reply
from authguard.limits.plan import Counter, Counts


class Phase(IntEnum):
    """Where an admitted plan stands. One that was released is no longer known: its nonce may be used again."""

    OPEN = 0
    SETTLED = 1
    DISPATCHING = 2
    COMMITTED = 3
    RELEASED = 4


class Record(NamedTuple):
    """What was replied, what has become of it since, and the store's time of its dispatch."""

    reply: Reply
    phase: Phase = Phase.OPEN
    dispatched: int = 0


class Settlement(NamedTuple):
    """What settling makes of the record and of the counters.

    ``lifetime`` is for how many microseconds the record is remembered from now on at least; 0: as long as before.
    """

    record: Record
    changes: list[engine.Change]
    lifetime: int = 0


_STEPS: dict[Outcome, tuple[frozenset[Phase], Phase]] = {
    Outcome.SUCCESS: (frozenset({Phase.OPEN}), Phase.SETTLED),
    Outcome.PARTIAL: (frozenset({Phase.OPEN}), Phase.SETTLED),
    Outcome.FAILURE: (frozenset({Phase.OPEN}), Phase.SETTLED),
    Outcome.DISPATCH: (frozenset({Phase.OPEN}), Phase.DISPATCHING),
    Outcome.CANCEL: (frozenset({Phase.OPEN}), Phase.RELEASED),
    Outcome.COMMIT: (frozenset({Phase.DISPATCHING}), Phase.COMMITTED),
    Outcome.RELEASE: (frozenset({Phase.DISPATCHING}), Phase.RELEASED),
    Outcome.PROVE: (frozenset({Phase.DISPATCHING, Phase.COMMITTED}), Phase.SETTLED),
}
ATTEMPTS = frozenset({Outcome.SUCCESS, Outcome.PARTIAL, Outcome.FAILURE})
"""Outcomes that end an attempt and leave reservations alone; the others leave failures alone."""


def touches(outcome: Outcome, counter: Counter) -> bool:
    """Return whether ``outcome`` may change ``counter``."""
    if outcome in ATTEMPTS:
        return counter.counts is Counts.FAILURES
    if counter.counts is not Counts.RESERVATIONS:
        return False
    return counter.clears if outcome is Outcome.PROVE else outcome is not Outcome.COMMIT


def settle(record: Record, receipt: Receipt, outcome: Outcome, states: Sequence[bytes], now: int) -> Settlement | None:
    """Return what ``outcome`` makes of an admitted plan; ``None`` where it comes too late, twice or out of turn.

    ``states`` are those of the plan's counters, gathered.
    """
    before, after = _STEPS[outcome]
    if record.phase not in before or not _is_for(receipt, record):
        return None
    plan = receipt.plan
    if outcome in ATTEMPTS:
        return Settlement(record._replace(phase=after), engine.settle(receipt, outcome, states, now))
    if outcome is Outcome.DISPATCH and now >= record.reply.now + plan.hold:
        return None
    changes = _move(receipt, outcome, record, states, now)
    if changes is None:
        return None
    if outcome is Outcome.DISPATCH:
        return Settlement(Record(record.reply, after, now), changes, plan.kept)
    return Settlement(record._replace(phase=after), changes)


def _is_for(receipt: Receipt, record: Record) -> bool:
    same_time = receipt.at in (ANY_TIME, record.reply.now)
    return same_time and len(receipt.stamps) == len(record.reply.stamps)


def _move(
    receipt: Receipt, outcome: Outcome, record: Record, states: Sequence[bytes], now: int
) -> list[engine.Change] | None:
    """Return what becomes of the reservations; ``None`` when one that is to be spent stands no longer."""
    plan, changes = receipt.plan, []
    for position, (counter, stamp) in enumerate(zip(plan.counters, receipt.stamps, strict=True)):
        if stamp == NOT_CHARGED or not touches(outcome, counter):
            continue
        before, limit, cost, expires = states[position], counter.limit, counter.cost, stamp + plan.hold
        after: bytes | None
        if outcome is Outcome.DISPATCH:
            after = budget.spend(before, limit, cost, now, expires, plan.tag)
        elif outcome is Outcome.CANCEL:
            after = budget.give_up(before, limit, cost, now, expires, plan.tag)
        else:
            after = budget.give_back(before, limit, cost, now, record.dispatched)
        if after is None:
            return None
        if after != before:
            changes.append((position, after, budget.lifetime(after, limit, now) if after else 0))
    return changes
