"""Replay: the record of an admitted plan as bytes, kept under the plan's nonce so that its repetition counts once."""

from __future__ import annotations

from functools import cache
from struct import Struct

from authguard.limits.decision import Reply
from authguard.limits.record import Phase, Record


def pack_record(record: Record) -> bytes:
    """Return ``record`` as bytes.

    Two bytes hold the phase and whether the plan joined, then come the times of its dispatch and of its decision, and
    three columns with a number for each counter: wait, remaining, stamp. Nothing is pending in an admitted reply.
    """
    reply, phase, dispatched = record
    layout = _layout(len(reply.waits))
    return layout.pack(phase, reply.joined, dispatched, reply.now, *reply.waits, *reply.remaining, *reply.stamps)


def unpack_record(packed: bytes) -> Record:
    """Return the record that :func:`pack_record` turned into bytes."""
    size = (len(packed) - _layout(0).size) // 24
    phase, joined, dispatched, now, *numbers = _layout(size).unpack(packed)
    waits, remaining, stamps = (tuple(numbers[start : start + size]) for start in (0, size, 2 * size))
    return Record(Reply(True, joined, now, waits, remaining, stamps, (0,) * size), Phase(phase), dispatched)


@cache
def _layout(counters: int) -> Struct:
    return Struct(f">B?{2 + 3 * counters}q")
