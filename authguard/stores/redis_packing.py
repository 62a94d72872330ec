"""Packing: plans and receipts as the one binary argument of a script, and its one binary answer as a reply.

Integers are big-endian. What ``decide.lua`` reads is a header (peeking 1, counters 2, hold 8, microseconds to
remember the nonce 8, client 7, guess 2) and for each counter: kind 1, looks 1 (1: shadow, 2: not charged), joins 1,
previous keys 1, cost 8, amount 8, period 8, burst 8, member 7; behind a backoff, whose burst is the number of its
gaps, 8 a gap. It answers flags 1 (1: admitted, 2: joined), the time 8, and four columns of 8 a counter: waits,
remaining, stamps, pending.

What ``settle.lua`` reads is a header (outcome 1, counters 2, client 7, client and guess 9, token 8) and for each
counter of failures: kind 1, clears 1, previous keys 1, cost 8, period 8, stamp 8, member 7. It answers 1 or 0.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from struct import Struct

from authguard.errors import StoreUnavailable
from authguard.limits import Algorithm, Counter, Counts, Mode, Outcome, Plan, Receipt, gcra
from authguard.limits.decision import Reply

TOKEN_SIZE = 8
"""Bytes of the token that tells a repeated settle call from another one."""
_FAILURE_LOG = 2
_DISTINCT_FAILURES = 3
_DISTINCT_ATTEMPTS = 4
_KINDS = {
    Algorithm.SLIDING_LOG: 1,
    Algorithm.FIXED_WINDOW: 5,
    Algorithm.SLIDING_COUNTER: 6,
    Algorithm.LEAKY_BUCKET: 7,
    Algorithm.TOKEN_BUCKET: 7,
    Algorithm.GCRA: 7,
    Algorithm.BACKOFF: 8,
}
_OUTCOMES = {Outcome.SUCCESS: 0, Outcome.PARTIAL: 1, Outcome.FAILURE: 2}
_PLAN = Struct(">BHQQ7s2s")
_COUNTER = Struct(">BBBBQQQQ7s")
_RECEIPT = Struct(">BH7s7s2s8s")
_SETTLED = Struct(">BBBQQq7s")


def pack_plan(plan: Plan, *, peeking: bool) -> bytes:
    """Return what ``decide.lua`` reads."""
    counters = plan.counters
    parts = [_PLAN.pack(peeking, len(counters), plan.hold, plan.remembered, plan.client, plan.guess)]
    parts.extend([_pack_counter(counter) for counter in counters])
    return b"".join(parts)


def pack_receipt(receipt: Receipt, outcome: Outcome, token: bytes) -> bytes:
    """Return what ``settle.lua`` reads; the keys of the same counters are :func:`settled_keys`."""
    plan = receipt.plan
    parts = [
        _SETTLED.pack(
            _kind(counter),
            counter.clears,
            len(counter.previous),
            counter.cost,
            counter.limit.period,
            stamp,
            counter.member,
        )
        for counter, stamp in zip(plan.counters, receipt.stamps, strict=True)
        if counter.counts is Counts.FAILURES
    ]
    head = _RECEIPT.pack(_OUTCOMES[outcome], len(parts), plan.client, plan.client, plan.guess, token)
    return head + b"".join(parts)


def plan_keys(plan: Plan, tag: bytes) -> list[bytes]:
    """Return the keys of ``decide.lua``, each behind the hash tag."""
    keys = [tag + plan.nonce]
    for counter in plan.counters:
        keys.append(tag + counter.key)
        if counter.previous:
            keys.extend([tag + key for key in counter.previous])
    return keys


def settled_keys(plan: Plan, tag: bytes) -> list[bytes]:
    """Return the keys of ``settle.lua``, each behind the hash tag."""
    failures = [counter for counter in plan.counters if counter.counts is Counts.FAILURES]
    return [tag + plan.nonce] + [tag + key for counter in failures for key in (counter.key, *counter.previous)]


def unpack_reply(packed: bytes) -> Reply:
    """Return the reply that ``decide.lua`` packed; raises ``StoreUnavailable`` when it is no such thing."""
    counters, odd = divmod(len(packed) - 9, 32)
    if odd or counters < 0:
        raise StoreUnavailable("Redis answered something that no script of authguard answers")
    flags, now, *_ = values = _reply(counters).unpack(packed)
    ends = [2 + counters * column for column in range(5)]
    waits, remaining, stamps, pending = [values[start:end] for start, end in pairwise(ends)]
    return Reply(flags & 1 == 1, flags & 2 == 2, now, waits, remaining, stamps, pending)


def _kind(counter: Counter) -> int:
    if counter.limit.algorithm is Algorithm.DISTINCT:
        return _DISTINCT_FAILURES if counter.counts is Counts.FAILURES else _DISTINCT_ATTEMPTS
    return _FAILURE_LOG if counter.counts is Counts.FAILURES else _KINDS[counter.limit.algorithm]


def _pack_counter(counter: Counter) -> bytes:
    limit = counter.limit
    amount, period, burst, gaps = limit.amount, limit.period, limit.burst, b""
    if limit.algorithm is Algorithm.GCRA:
        amount, period = gcra.RATE, gcra.interval(limit)
    elif limit.gaps:
        burst, gaps = len(limit.gaps), Struct(f">{len(limit.gaps)}Q").pack(*limit.gaps)
    return (
        _COUNTER.pack(
            _kind(counter),
            (counter.mode is Mode.SHADOW) + 2 * (not counter.charges),
            counter.joins,
            len(counter.previous),
            counter.cost,
            amount,
            period,
            burst,
            counter.member,
        )
        + gaps
    )


@cache
def _reply(counters: int) -> Struct:
    return Struct(f">BQ{4 * counters}q")
