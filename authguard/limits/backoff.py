"""Backoff: each charge must keep a longer distance from the one before: ``gaps[1]``, ``gaps[2]``, …; the last repeats.

The first charge is admitted at once: ``gaps[0]`` counts only where it is the only gap. Two times the longest gap after
the last charge the ladder is forgotten: only a whole further gap without a charge leads back to its foot.

The state is two unsigned 64-bit integers, big-endian: how many charges there were, and the time of the last. Time
never runs backwards: a charge is stamped no earlier than the last. A state of any other length counts as the top of a
ladder that has just been climbed.
"""

from __future__ import annotations

from struct import Struct

from authguard.limits.decision import NEVER
from authguard.limits.limit import Limit

_STATE = Struct(">QQ")


def _read(state: bytes, limit: Limit, now: int) -> tuple[int, int]:
    """Return ``(count, last)``; both are 0 before the first charge and once the ladder is forgotten."""
    if len(state) != _STATE.size:
        return (len(limit.gaps), now) if state else (0, 0)
    count, last = _STATE.unpack(state)
    return (count, last) if now - last < 2 * limit.period else (0, 0)


def _gap(limit: Limit, count: int) -> int:
    """Return the distance that charge number ``count``, from 0, must keep from the one before."""
    return limit.gaps[min(count, len(limit.gaps) - 1)] if count else 0


def probe(state: bytes, limit: Limit, cost: int, now: int) -> tuple[int, int]:
    """Return ``(wait, remaining)``: microseconds until a charge would be admitted, and 1 or 0; costs are always 1."""
    count, last = _read(state, limit, now)
    opens = last + _gap(limit, count)
    left = int(opens <= max(now, last))
    if cost > 1:
        return NEVER, left
    return (0 if left else opens - now), left


def charge(state: bytes, limit: Limit, cost: int, now: int) -> tuple[bytes, int, int]:
    """Return ``(state, stamp, remaining)`` after one more charge."""
    count, last = _read(state, limit, now)
    at = max(now, last)
    return _STATE.pack(count + 1, at), at, int(_gap(limit, count + 1) == 0)


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the ladder on which the charges of both count."""
    (count, last), (more, later) = _read(one, limit, now), _read(other, limit, now)
    return _STATE.pack(count + more, max(last, later))


def lifetime(state: bytes, limit: Limit, now: int) -> int:
    """Return for how many microseconds the state still says something: until the ladder is forgotten."""
    last: int = _STATE.unpack(state)[1]
    return max(1, last + 2 * limit.period - now)
