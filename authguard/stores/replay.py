"""Replay: the reply to an admitted plan as bytes, kept under the plan's nonce so that its repetition counts once."""

from __future__ import annotations

import struct

from authguard.limits.decision import Reply

OPEN = b"\x00"
SETTLED = b"\x01"
_HEAD = struct.Struct(">?q")
_COUNTER = struct.Struct(">qqq")


def pack_reply(reply: Reply) -> bytes:
    """Return the bytes of an admitted ``reply`` that is still to be settled.

    One byte says whether it was settled, then come the joined flag, the store's time, and three numbers a counter:
    wait, remaining, stamp. Nothing is pending in an admitted reply.
    """
    counters = zip(reply.waits, reply.remaining, reply.stamps, strict=True)
    return OPEN + _HEAD.pack(reply.joined, reply.now) + b"".join(_COUNTER.pack(*numbers) for numbers in counters)


def unpack_reply(packed: bytes) -> Reply:
    """Return the reply that :func:`pack_reply` turned into bytes."""
    joined, now = _HEAD.unpack_from(packed, 1)
    numbers = tuple(_COUNTER.iter_unpack(packed[1 + _HEAD.size :]))
    waits, remaining, stamps = zip(*numbers, strict=True) if numbers else ((), (), ())
    return Reply(True, joined, now, waits, remaining, stamps, (0,) * len(numbers))


def is_settled(packed: bytes) -> bool:
    """Return whether the attempt was settled already."""
    return packed[:1] == SETTLED


def as_settled(packed: bytes) -> bytes:
    """Return the same reply, marked as settled."""
    return SETTLED + packed[1:]
