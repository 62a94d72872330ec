"""Replay: the reply to an admitted plan as bytes, kept under the plan's nonce so that its repetition counts once."""

from __future__ import annotations

from functools import cache
from struct import Struct

from authguard.limits.decision import Reply

OPEN = 0
SETTLED = 1


def pack_reply(reply: Reply) -> bytes:
    """Return the bytes of an admitted ``reply`` that is still to be settled.

    Two bytes say whether it was settled and whether it joined, then come the store's time and three columns with a
    number for each counter: wait, remaining, stamp. Nothing is pending in an admitted reply.
    """
    layout = _layout(len(reply.waits))
    return layout.pack(OPEN, reply.joined, reply.now, *reply.waits, *reply.remaining, *reply.stamps)


def unpack_reply(packed: bytes) -> Reply:
    """Return the reply that :func:`pack_reply` turned into bytes."""
    size = (len(packed) - _layout(0).size) // 24
    _, joined, now, *numbers = _layout(size).unpack(packed)
    waits, remaining, stamps = (tuple(numbers[start : start + size]) for start in (0, size, 2 * size))
    return Reply(True, joined, now, waits, remaining, stamps, (0,) * size)


def is_settled(packed: bytes) -> bool:
    """Return whether the attempt was settled already."""
    return packed[0] == SETTLED


def as_settled(packed: bytes) -> bytes:
    """Return the same reply, marked as settled."""
    return bytes([SETTLED]) + packed[1:]


@cache
def _layout(counters: int) -> Struct:
    return Struct(f">B?{1 + 3 * counters}q")
