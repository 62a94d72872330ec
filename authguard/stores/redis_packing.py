"""Packing: plans as the one binary argument of a script, and its one binary answer as a reply.

Big-endian; numbers are doubles, which is what Lua counts with, unless a size in bytes is given. ``decide.lua`` reads
a header (peeking 1, counters 2, keys before those of long logs 2, hold, microseconds to remember the nonce, client 7,
guess 2) and for each counter: kind 1, looks 1 (1: shadow, 2: not charged), joins 1, previous keys 1, bytes behind this
row 2, cost, amount, period, burst; and behind that the member of a distinct counter, or the gaps of a backoff, whose
burst is their number. It answers flags 1 (1: admitted, 2: joined), the time, and for each counter in signed 8 bytes:
wait, what is left, and its stamp if the plan is admitted, else the charges under way.
"""

from __future__ import annotations

from functools import cache
from struct import Struct

from authguard.errors import StoreUnavailable
from authguard.limits import Plan
from authguard.limits.decision import NOT_CHARGED, Reply
from authguard.limits.plan import NO_GUESS
from authguard.stores.redis_row import LONG_LOG, pack_row

_PLAN = Struct(">BHHdd7s2s")


def pack_plan(plan: Plan, tag: bytes, *, peeking: bool) -> tuple[list[bytes], bytes]:
    """Return the keys of ``decide.lua``, each behind the hash tag, those of long logs last; and what it reads."""
    keys, long, rows = [tag + plan.nonce], [], []
    guessing = plan.guess != NO_GUESS
    for counter in plan.counters:
        row = pack_row(counter, guessing=guessing)
        rows.append(row)
        if row[0] == LONG_LOG:
            long.append(tag + counter.key)
            continue
        keys.append(tag + counter.key)
        if counter.previous:
            keys.extend([tag + key for key in counter.previous])
    head = _PLAN.pack(peeking, len(rows), len(keys), plan.hold, plan.remembered, plan.client, plan.guess)
    return keys + long, head + b"".join(rows)


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


@cache
def _reply(counters: int) -> Struct:
    return Struct(f">Bd{3 * counters}q")
