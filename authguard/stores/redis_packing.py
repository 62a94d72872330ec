"""Packing: plans and receipts as the one binary argument of a script, and its one binary answer as a reply.

Big-endian; numbers are doubles, which is what Lua counts with, unless a size in bytes is given. ``decide.lua`` reads
a header (peeking 1, counters 2, keys before those of long logs 2, hold, microseconds to remember the nonce, client 7,
guess 2) and for each counter: kind 1, looks 1 (1: shadow, 2: not charged), joins 1, previous keys 1, bytes behind this
row 2, cost, amount, period, burst; and behind that the member of a distinct counter, or the gaps of a backoff, whose
burst is their number. It answers flags 1 (1: admitted, 2: joined), the time, and for each counter in signed 8 bytes:
wait, what is left, and its stamp if the plan is admitted, else the charges under way.

``settle.lua`` reads a header (outcome 1, counters 2, client 7, client and guess 9, token 8) and for each counter of
failures: kind 1, clears 1, previous keys 1, cost, period, stamp 8 (an integer), member 7. It answers 1 or 0.
"""

from __future__ import annotations

from functools import cache
from struct import Struct

from authguard.errors import StoreUnavailable
from authguard.limits import Algorithm, Counter, Counts, Mode, Outcome, Plan, Receipt, gcra
from authguard.limits.decision import NOT_CHARGED, Reply
from authguard.limits.plan import NO_GUESS

TOKENS = 2**53
"""How many tokens there are that tell a repeated settle call from another one."""
LONG = 500
"""Above this amount a sliding log is appended to and read in places; up to it, read and written as a whole."""
_FAILURE_LOG = 1
_DISTINCT_FAILURES = 2
_DISTINCT_ATTEMPTS = 3
_SLIDING_LOG = 4
_LONG_LOG = 5
_KINDS = {
    Algorithm.FIXED_WINDOW: 6,
    Algorithm.SLIDING_COUNTER: 7,
    Algorithm.LEAKY_BUCKET: 8,
    Algorithm.TOKEN_BUCKET: 8,
    Algorithm.GCRA: 8,
    Algorithm.BACKOFF: 9,
}
_OUTCOMES = {Outcome.SUCCESS: 0, Outcome.PARTIAL: 1, Outcome.FAILURE: 2}
_PLAN = Struct(">BHHdd7s2s")
_COUNTER = Struct(">BBBBHdddd")
_RECEIPT = Struct(">BH7s7s2sd")
_SETTLED = Struct(">BBBddq7s")


def pack_plan(plan: Plan, *, peeking: bool) -> bytes:
    """Return what ``decide.lua`` reads; the keys that go with it are :func:`plan_keys`."""
    rows = [_pack_counter(counter, plan) for counter in plan.counters]
    read = 1 + sum([1 + len(counter.previous) for counter in plan.counters if not _is_long(counter)])
    head = _PLAN.pack(peeking, len(rows), read, plan.hold, plan.remembered, plan.client, plan.guess)
    return head + b"".join(rows)


def pack_receipt(receipt: Receipt, outcome: Outcome, token: int) -> bytes:
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
    """Return the keys of ``decide.lua``, each behind the hash tag: those of long logs come last."""
    keys, long = [tag + plan.nonce], []
    for counter in plan.counters:
        if _is_long(counter):
            long.append(tag + counter.key)
            continue
        keys.append(tag + counter.key)
        if counter.previous:
            keys.extend([tag + key for key in counter.previous])
    return keys + long


def settled_keys(plan: Plan, tag: bytes) -> list[bytes]:
    """Return the keys of ``settle.lua``, each behind the hash tag."""
    failures = [counter for counter in plan.counters if counter.counts is Counts.FAILURES]
    return [tag + plan.nonce] + [tag + key for counter in failures for key in (counter.key, *counter.previous)]


def unpack_reply(packed: bytes) -> Reply:
    """Return the reply that ``decide.lua`` packed; raises ``StoreUnavailable`` when it is no such thing."""
    counters, odd = divmod(len(packed) - 9, 24)
    if odd or counters < 0:
        raise StoreUnavailable("Redis answered something that no script of authguard answers")
    flags, now, *_ = values = _reply(counters).unpack(packed)
    joined, waits, left, last = flags & 2 == 2, values[2::3], values[3::3], values[4::3]
    if flags & 1:
        return Reply(True, joined, int(now), waits, left, last, (0,) * counters)
    return Reply(False, joined, int(now), waits, left, (NOT_CHARGED,) * counters, last)


def _is_long(counter: Counter) -> bool:
    # A log that is merged with others is read as a whole, however long.
    limit = counter.limit
    return (
        limit.amount > LONG
        and limit.algorithm is Algorithm.SLIDING_LOG
        and counter.counts is Counts.ATTEMPTS
        and not counter.previous
    )


def _kind(counter: Counter) -> int:
    algorithm = counter.limit.algorithm
    if algorithm is Algorithm.DISTINCT:
        return _DISTINCT_FAILURES if counter.counts is Counts.FAILURES else _DISTINCT_ATTEMPTS
    if algorithm is Algorithm.SLIDING_LOG:
        if counter.counts is Counts.FAILURES:
            return _FAILURE_LOG
        return _LONG_LOG if _is_long(counter) else _SLIDING_LOG
    return _KINDS[algorithm]


def _pack_counter(counter: Counter, plan: Plan) -> bytes:
    limit = counter.limit
    amount, period, burst, more = limit.amount, limit.period, limit.burst, b""
    if limit.algorithm is Algorithm.GCRA:
        amount, period = gcra.RATE, gcra.interval(limit)
    elif limit.algorithm is Algorithm.DISTINCT:
        more = counter.member
    elif limit.gaps:
        burst, more = len(limit.gaps), Struct(f">{len(limit.gaps)}d").pack(*limit.gaps)
    looks = (counter.mode is Mode.SHADOW) + 2 * (not counter.charges)
    joins = counter.joins and plan.guess != NO_GUESS
    row = _COUNTER.pack(
        _kind(counter), looks, joins, len(counter.previous), len(more), counter.cost, amount, period, burst
    )
    return row + more


@cache
def _reply(counters: int) -> Struct:
    return Struct(f">Bd{3 * counters}q")
