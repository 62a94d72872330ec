"""Nonce: 16 random bytes that tell a plan from every other one there is, in whichever process it is made."""

from __future__ import annotations

import os
import secrets

SIZE = 16
"""Bytes in a nonce."""
_AT_ONCE = 64

_drawn: list[bytes] = []


def draw_nonce() -> bytes:
    """Return a nonce that nobody else has.

    To ask the kernel takes longer than the rest of a plan's making, so it is asked for many at a time.
    """
    try:
        return _drawn.pop()
    except IndexError:
        many = secrets.token_bytes(SIZE * _AT_ONCE)
        nonce, *more = (many[start : start + SIZE] for start in range(0, len(many), SIZE))
        _drawn.extend(more)
        return nonce


# A forked child that went on with its parent's would pass its requests off as the parent's, repeated.
os.register_at_fork(after_in_child=_drawn.clear)
