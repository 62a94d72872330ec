"""Packing: plans as the one binary argument of a script, and its one binary answer as a reply.

Big-endian; numbers are doubles, which is what Lua counts with, unless a size in bytes is given. ``decide.lua`` reads
a header (peeking 1, counters 2, keys before those of long logs 2, hold, microseconds to remember the nonce, client 7,
guess 2) and for each counter: kind 1, looks 1 (1: shadow, 2: not charged), joins 1, previous keys 1, bytes behind this
row 2, cost, amount, period, burst; and behind that the member of a distinct counter, or the gaps of a backoff, whose
burst is their number. It answers flags 1 (1: admitted, 2: joined), the time, and in signed 8 bytes what is left of each
counter. Unless the plan was admitted and every counter charged at that very time, two more columns follow: the waits,
and the stamps if the plan is admitted, else the charges under way.
"""

from __future__ import annotations

from functools import cache
from struct import Struct

from authguard.errors import StoreUnavailable
from authguard.limits import Algorithm, Plan
from authguard.limits.decision import NOT_CHARGED, Reply, new
from authguard.limits.plan import NO_GUESS
from authguard.stores.redis_row import LONG_LOG, MERGED, row_of

_PLAN = Struct(">BHHdd7s2s")
_HEAD = Struct(">Bd")
_LONG_LOG, _MERGED = 1 << LONG_LOG, 1 << MERGED


def pack_plan(plan: Plan, *, peeking: bool) -> tuple[int, list[bytes], bytes]:
    """Return which kinds of counters the plan has, the keys of ``decide.lua``, long logs last, and what it reads.

    Bit ``k`` of the kinds stands for kind ``k``.
    """
    kinds, keys, long, rows = 0, [plan.nonce], [], [b""]
    guessing = plan.guess != NO_GUESS
    for counter in plan.counters:
        _, bit, packed, simple = row_of(counter, guessing=guessing)
        kinds |= bit
        rows.append(packed)
        if simple:
            keys.append(counter.key)
        elif bit == _LONG_LOG:
            long.append(counter.key)
        else:
            keys += (counter.key, *counter.previous)
            kinds |= _MERGED if counter.previous else 0
            rows.append(counter.member if counter.limit.algorithm is Algorithm.DISTINCT else b"")
    remembered = plan.remembered
    rows[0] = _PLAN.pack(peeking, len(plan.counters), len(keys), plan.hold, remembered, plan.client, plan.guess)
    return kinds, keys + long if long else keys, b"".join(rows)


def unpack_reply(packed: bytes, counters: int) -> Reply:
    """Return the reply that ``decide.lua`` packed; raises ``StoreUnavailable`` when it is no such thing.

    Under a nonce that stands for a plan of another number of counters that plan's reply comes; its columns are left
    out, for they say nothing of these counters.
    """
    short, full, none = _shapes(counters)
    if len(packed) == short.size:
        values = short.unpack(packed)
        now = int(values[1])
        return new(Reply, (True, False, now, none, values[2:], (now,) * counters, none))
    if len(packed) != full.size:
        return _of_another_plan(packed)
    values = full.unpack(packed)
    flags, now = values[0], int(values[1])
    left, waits, last = values[2 : 2 + counters], values[2 + counters : 2 + 2 * counters], values[2 + 2 * counters :]
    if flags & 1:
        return Reply(True, flags >= 2, now, waits, left, last, none)
    return Reply(False, flags >= 2, now, waits, left, (NOT_CHARGED,) * counters, last)


def _of_another_plan(packed: bytes) -> Reply:
    columns, rest = divmod(len(packed) - _HEAD.size, 8)
    flags, now = _HEAD.unpack_from(packed) if columns > 0 and not rest else (0, 0.0)
    if not flags & 1:
        raise StoreUnavailable("Redis answered something that no script of authguard answers")
    return Reply(True, flags >= 2, int(now), (), (), (), ())


@cache
def _shapes(counters: int) -> tuple[Struct, Struct, tuple[int, ...]]:
    """Return the two shapes of a reply, and a column of zeros."""
    return Struct(f">Bd{counters}q"), Struct(f">Bd{3 * counters}q"), (0,) * counters
