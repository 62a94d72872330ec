"""Replay: the record of an admitted plan as bytes, kept under the plan's nonce so that its repetition counts once."""

from __future__ import annotations

from functools import cache
from struct import Struct

from authguard.limits.decision import Reply
from authguard.limits.record import Phase, Record

_PLAIN = 2
"""The flag of a record whose counters were all charged at the time of the decision."""


def pack_record(record: Record) -> bytes:
    """Return ``record`` as bytes.

    A byte holds the phase and one the flags, then come the times of its dispatch and of its decision, and a number for
    each counter: what remains. Where the flags don't say ``_PLAIN`` the waits and the stamps follow. Nothing is pending
    in an admitted reply.
    """
    reply, phase, dispatched = record
    waits, remaining, stamps = reply.waits, reply.remaining, reply.stamps
    if stamps.count(reply.now) == len(stamps) and not any(waits):
        return _layout(len(remaining)).pack(phase, reply.joined | _PLAIN, dispatched, reply.now, *remaining)
    return _layout(3 * len(remaining)).pack(phase, reply.joined, dispatched, reply.now, *remaining, *waits, *stamps)


def unpack_record(packed: bytes) -> Record:
    """Return the record that :func:`pack_record` turned into bytes."""
    numbers = (len(packed) - _layout(0).size) // 8
    phase, flags, dispatched, now, *columns = _layout(numbers).unpack(packed)
    size = numbers if flags & _PLAIN else numbers // 3
    zeros = (0,) * size
    remaining = tuple(columns[:size])
    waits, stamps = (zeros, (now,) * size) if flags & _PLAIN else (tuple(columns[size:-size]), tuple(columns[-size:]))
    return Record(Reply(True, bool(flags & 1), now, waits, remaining, stamps, zeros), Phase(phase), dispatched)


@cache
def _layout(numbers: int) -> Struct:
    return Struct(f">BB{2 + numbers}q")
