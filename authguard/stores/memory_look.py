"""A look at the memory store: whether a plan is plainly admitted, as nearly all are. Writes nothing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable

from authguard.limits import Counter, Limit
from authguard.limits.counting import Count
from authguard.limits.meters import PLAIN
from authguard.limits.times import Times

State = tuple[int, bytes]
"""When a counter expires, and its state."""

Looked = tuple[list[Times], list[tuple[bytes, Times]], list[tuple[bytes, int, bytes]], list[int]]
"""``(logs, changed, others, remaining)``.

``logs`` are those of the counters that are ``timed``, made on the spot where there was none. ``changed`` are those that
do more than grow, under their keys: they are new, or hold what stands no longer. ``others`` are for the other counters
the key, for how many microseconds the counter lives, and what its state becomes. ``remaining`` is what is left in each
counter of the plan.
"""


def look(
    counters: Iterable[Counter],
    find_log: Callable[[bytes], Times | None],
    find_state: Callable[[bytes], State | None],
    now: int,
) -> Looked | None:
    """Look whether one charge of each counter is plainly admitted at ``now``; ``None`` where the engine must decide.

    That is where a counter isn't ``simple`` or is full, and where the clock has stepped back or the period of a log
    changed. ``find_log`` and ``find_state`` return what is held under a key. Nothing fails when another thread is
    writing: whoever looks must make sure that none was before believing what this says.
    """
    logs, changed, others, remaining = [], [], [], []
    for counter in counters:
        if not counter.simple:
            return None
        key, limit = counter.key, counter.limit
        if not counter.timed:
            wait, _, charged, stamp, lifetime, left = _count(find_state(key), limit, now)
            if wait or stamp != now:
                return None
            others.append((key, lifetime, charged))
            remaining.append(left)
            continue
        period, left = limit.period, limit.amount
        log = find_log(key)
        if log is None:
            log = [period]
            changed.append((key, log))
        elif log[0] != period or log[-1] > now:
            return None
        elif log[1] <= now - period:
            left += bisect_right(log, now - period, 1) - 1
            changed.append((key, log))
        left -= len(log)
        if left < 0:
            return None
        logs.append(log)
        remaining.append(left)
    return logs, changed, others, remaining


def _count(held: State | None, limit: Limit, now: int) -> Count:
    state = held[1] if held is not None and held[0] > now else b""
    return PLAIN[limit.algorithm].count(state, limit, 1, now)
