"""Distinct: in every window at most ``amount`` different members stand; a member already counted passes.

The state is a failure log whose tag is the member. A member stands from its latest entry on, so that a member who
comes again is counted for a whole window from then; an older failed entry of the same member says nothing more
and is dropped.
"""

from __future__ import annotations

from authguard.limits import log
from authguard.limits.counting import Count, refuse
from authguard.limits.failure_log import ENTRY, FAILED, TAG, UNDER_WAY
from authguard.limits.limit import Limit
from authguard.limits.log import MASK, TIME, time_at
from authguard.limits.plan import NO_GUESS, TAG_SIZE


def count(state: bytes, limit: Limit, now: int, member: bytes, flag: bytes = UNDER_WAY) -> Count:
    """Count ``member``, whose entry is flagged ``flag`` if it is charged."""
    at = log.effective(state, ENTRY, now)
    alive = log.standing(state, ENTRY, limit.period, at)
    latest = {alive[i + TAG : i + TAG + TAG_SIZE]: i for i in range(0, len(alive), ENTRY)}
    left = max(0, limit.amount - len(latest))
    if not left and member not in latest:
        must_go = time_at(alive, sorted(latest.values())[len(latest) - limit.amount])
        return refuse(limit.period - ((at - must_go) & MASK) + at - now, left)
    charged = alive + (at & MASK).to_bytes(TIME, "big") + flag + member + NO_GUESS
    if flag == FAILED:
        charged = prune(charged)
    return 0, left, charged, at, limit.period + at - now, left - (member not in latest)


def prune(state: bytes) -> bytes:
    """Return the state without failed entries that a later failed one of the same member makes void."""
    kept: list[bytes] = []
    seen: set[bytes] = set()
    for start in range(len(state) - ENTRY, -1, -ENTRY):
        entry = state[start : start + ENTRY]
        if entry.startswith(FAILED, TIME):
            member = entry[TAG : TAG + TAG_SIZE]
            if member in seen:
                continue
            seen.add(member)
        kept.append(entry)
    return b"".join(reversed(kept))
