"""Distinct: in every window at most ``amount`` different members stand; a member already counted passes.

The state is a failure log whose tag is the member. A member stands from its latest entry on, so that a member who
comes again is counted for a whole window from then; an older failed entry of the same member says nothing more
and is dropped.
"""

from __future__ import annotations

from authguard.limits.failure_log import (
    ENTRY,
    FAILED,
    TIME,
    UNDER_WAY,
    effective,
    when,
)
from authguard.limits.failure_log import standing as standing_entries
from authguard.limits.limit import Limit
from authguard.limits.plan import NO_GUESS, TAG_SIZE
from authguard.limits.sliding_log import MASK


def member_of(entry: bytes) -> bytes:
    """Return the member that an entry counts."""
    return entry[TIME + 1 : TIME + 1 + TAG_SIZE]


def probe(state: bytes, limit: Limit, now: int, member: bytes) -> tuple[int, int]:
    """Return ``(wait, remaining)``: microseconds until ``member`` would be admitted, and how many more could be."""
    latest = {member_of(entry): when(entry) for entry in standing_entries(state, limit, now)}
    left = max(0, limit.amount - len(latest))
    if left or member in latest:
        return 0, left
    at = effective(state, now)
    ages = sorted(((at - time) & MASK for time in latest.values()), reverse=True)
    return limit.period - ages[len(latest) - limit.amount] + at - now, left


def charge(state: bytes, limit: Limit, now: int, member: bytes, flag: bytes = UNDER_WAY) -> tuple[bytes, int, int]:
    """Return ``(state, stamp, remaining)`` after ``member`` was counted."""
    at = effective(state, now)
    alive = standing_entries(state, limit, now)
    alive.append((at & MASK).to_bytes(TIME, "big") + flag + member + NO_GUESS)
    kept = prune(b"".join(alive))
    return kept, at, max(0, limit.amount - len({member_of(entry) for entry in alive}))


def prune(state: bytes) -> bytes:
    """Return the state without failed entries that a later failed one of the same member makes void."""
    kept: list[bytes] = []
    seen: set[bytes] = set()
    for start in range(len(state) - ENTRY, -1, -ENTRY):
        entry = state[start : start + ENTRY]
        if entry[TIME : TIME + 1] == FAILED:
            if member_of(entry) in seen:
                continue
            seen.add(member_of(entry))
        kept.append(entry)
    return b"".join(reversed(kept))
