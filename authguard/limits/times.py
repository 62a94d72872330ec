"""Times: a sliding log as a process holds it, for the store that needs no bytes.

It is a list of microseconds since the epoch, ``[period, oldest, …, newest]``, that grows in place. The period is that
of the limit when it was charged last, so that the list itself says when it expires. What it answers is what
:mod:`~authguard.limits.log` answers: a charge made at ``t`` stands while ``now < t + period``, and time never runs
backwards inside it.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import islice, repeat

from authguard.limits.counting import NEVER, Count, refuse
from authguard.limits.limit import Limit

Times = list[int]
"""``[period, oldest, …, newest]``; empty, or not there, before the first charge."""


def expiry(times: Times) -> int:
    """Return when ``times``, which aren't empty, say nothing any more."""
    return times[0] + times[-1]


def count(times: Times, limit: Limit, cost: int, now: int) -> Count:
    """Count ``cost`` charges; where they are admitted, the count brings what :func:`charge` adds."""
    amount, period, at, gone, entries = limit.amount, limit.period, now, 0, 0
    if times:
        newest, entries = times[-1], len(times) - 1
        if newest > now:
            at = newest
        if times[1] <= at - period:
            gone = bisect_right(times, at - period, 1) - 1
            entries -= gone
    left = amount - entries if entries < amount else 0
    if cost <= left:
        # From an iterator of unknown length a list is made with room to grow; else the next charge would copy it.
        return 0, left, [period, *islice(repeat(at), cost)], at, period + at - now, left - cost
    if cost > amount:
        return refuse(NEVER, left)
    return refuse(times[gone + entries + cost - amount] + period - now, left)


def charge(times: Times, added: Times) -> Times:
    """Return the log with what was ``added`` and without what stands no longer; ``times`` itself, if there is one."""
    if not times:
        return added
    times[0] = added[0]
    times += added[1:]
    prune(times)
    return times


def prune(times: Times) -> None:
    """Drop what stands no longer when the newest entry is made."""
    del times[1 : bisect_right(times, times[-1] - times[0], 1)]


def merge(one: Times, other: Times, limit: Limit, now: int) -> Times:
    """Return the log in which the entries of both stand."""
    return [limit.period, *sorted(one[1:] + other[1:])]
