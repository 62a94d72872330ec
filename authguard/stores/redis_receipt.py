"""Receipt: what settles a plan, as the one binary argument of ``settle.lua`` and ``move.lua``.

Big-endian; numbers are doubles, unless a size in bytes is given. Both read a header (outcome 1, rows 2, counters
of the plan 2, client 7, client and guess 9, token, when the plan was admitted, hold, microseconds to remember the nonce
once it is dispatched) and a row for each counter that the outcome touches. One of failures: kind 1, clears 1, previous
keys 1, cost, period, stamp 8 (an integer), member 7; one of reservations: previous keys 1, cost, amount, period, stamp
8 (an integer). They answer 1 or 0.
"""

from __future__ import annotations

from struct import Struct

from authguard.limits import Algorithm, Counter, Counts, Outcome, Receipt
from authguard.limits.record import touches
from authguard.stores.redis_row import DISTINCT_FAILURES, FAILURE_LOG

TOKEN_SIZE = 6
"""Bytes of the token that tells a repeated settle call from another one; a double holds no more of whole bytes."""
_OUTCOMES = {
    Outcome.SUCCESS: 0,
    Outcome.PARTIAL: 1,
    Outcome.FAILURE: 2,
    Outcome.DISPATCH: 3,
    Outcome.COMMIT: 4,
    Outcome.RELEASE: 5,
    Outcome.CANCEL: 6,
    Outcome.PROVE: 7,
}
_HEAD = Struct(">BHH7s7s2sdddd")
_FAILURES = Struct(">BBBddq7s")
_RESERVATIONS = Struct(">Bdddq")


def pack_receipt(receipt: Receipt, outcome: Outcome, token: int) -> tuple[list[bytes], bytes]:
    """Return the keys of the script that settles, and what it reads."""
    plan = receipt.plan
    keys, rows = [plan.nonce], []
    for counter, stamp in zip(plan.counters, receipt.stamps, strict=True):
        if touches(outcome, counter):
            keys.append(counter.key)
            if counter.previous:
                keys += counter.previous
            rows.append(_pack_row(counter, stamp))
    head = _HEAD.pack(
        _OUTCOMES[outcome],
        len(rows),
        len(plan.counters),
        plan.client,
        plan.client,
        plan.guess,
        token,
        receipt.at,
        plan.hold,
        plan.kept,
    )
    return keys, head + b"".join(rows)


def _pack_row(counter: Counter, stamp: int) -> bytes:
    olds, cost, limit = len(counter.previous), counter.cost, counter.limit
    if counter.counts is Counts.RESERVATIONS:
        return _RESERVATIONS.pack(olds, cost, limit.amount, limit.period, stamp)
    kind = DISTINCT_FAILURES if limit.algorithm is Algorithm.DISTINCT else FAILURE_LOG
    return _FAILURES.pack(kind, counter.clears, olds, cost, limit.period, stamp, counter.member)
