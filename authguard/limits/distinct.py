"""Distinct: in every window at most ``amount`` different members stand; a member already counted passes.

The state is a failure log whose tag is the member. A member stands from its latest entry on, so that a member who
comes again is counted for a whole window from then; an older failed entry of the same member says nothing more
and is dropped.
"""

from __future__ import annotations

from struct import Struct

from authguard.limits import log
from authguard.limits.counting import Count, refuse
from authguard.limits.failure_log import ENTRY, FAILED, TAG, UNDER_WAY
from authguard.limits.limit import Limit
from authguard.limits.log import MASK, TIME, time_at
from authguard.limits.plan import NO_GUESS, TAG_SIZE

_MEMBERS = Struct(f"{TAG}x{TAG_SIZE}s{ENTRY - TAG - TAG_SIZE}x").iter_unpack
"""Reads who each entry of a state is about, as a tuple of one."""


def count(state: bytes, limit: Limit, now: int, member: bytes, flag: bytes = UNDER_WAY) -> Count:
    """Count ``member``, whose entry is flagged ``flag`` if it is charged."""
    at = log.effective(state, ENTRY, now)
    alive = log.standing(state, ENTRY, limit.period, at)
    members = set(_MEMBERS(alive))
    left, known = max(0, limit.amount - len(members)), (member,) in members
    # Where attempts are counted it is so between two decisions; there may be hundreds of members.
    has_one_each = len(members) * ENTRY == len(alive)
    if not left and not known:
        start = len(alive) - limit.amount * ENTRY if has_one_each else _latest(alive)[-limit.amount]
        return refuse(limit.period - ((at - time_at(alive, start)) & MASK) + at - now, left)
    charged = alive + (at & MASK).to_bytes(TIME, "big") + flag + member + NO_GUESS
    if flag == FAILED and (known or not has_one_each):
        charged = prune(charged)
    return 0, left, charged, at, limit.period + at - now, left - (not known)


def _latest(state: bytes) -> list[int]:
    """Return where the latest entry of each member begins, the oldest of them first."""
    return sorted({member: number * ENTRY for number, member in enumerate(_MEMBERS(state))}.values())


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
