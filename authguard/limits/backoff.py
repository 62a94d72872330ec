"""Backoff: each charge must keep a longer distance from the one before: ``gaps[1]``, ``gaps[2]``, …; the last repeats.

The first charge is admitted at once: ``gaps[0]`` counts only where it is the only gap. Two times the longest gap after
the last charge the ladder is forgotten: only a whole further gap without a charge leads back to its foot.

The state is two unsigned 64-bit integers, big-endian: how many charges there were, and the time of the last. Time
never runs backwards: a charge is stamped no earlier than the last. A state of any other length counts as the top of a
ladder that has just been climbed.
"""

from __future__ import annotations

from struct import Struct

from authguard.limits.counting import NEVER, Count, refuse
from authguard.limits.limit import Limit

_STATE = Struct(">QQ")


def _read(state: bytes, limit: Limit, now: int) -> tuple[int, int]:
    """Return ``(charges, last)``; both are 0 before the first charge and once the ladder is forgotten."""
    if len(state) != _STATE.size:
        return (len(limit.gaps), now) if state else (0, 0)
    charges, last = _STATE.unpack(state)
    return (charges, last) if now - last < 2 * limit.period else (0, 0)


def _gap(limit: Limit, charges: int) -> int:
    """Return the distance that charge number ``charges``, from 0, must keep from the one before."""
    return limit.gaps[min(charges, len(limit.gaps) - 1)] if charges else 0


def count(state: bytes, limit: Limit, cost: int, now: int) -> Count:
    """Count one more charge: costs are always 1, what is left 1 or 0."""
    charges, last = _read(state, limit, now)
    at, opens = max(now, last), last + _gap(limit, charges)
    left = int(opens <= at)
    if cost > 1:
        return refuse(NEVER, left)
    if not left:
        return refuse(opens - now, left)
    charges += 1
    charged = _STATE.pack(charges, at)
    return 0, left, charged, at, at + 2 * limit.period - now, int(_gap(limit, charges) == 0)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the ladder on which the charges of both count."""
    (charges, last), (more, later) = _read(one, limit, now), _read(other, limit, now)
    return _STATE.pack(charges + more, max(last, later))
