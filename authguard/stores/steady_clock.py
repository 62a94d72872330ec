"""Steady clock: the wall clock as it was once, going on at the pace of the monotonic one."""

from __future__ import annotations

import time
from collections.abc import Callable

from authguard.clock import Clock, SystemClock


class SteadyClock:
    """Never steps: whoever sets the machine's clock forward or back does not reach the counters that live by this one.

    ``monotonic`` reads nanoseconds. Where it can tell the age of a counter of one process, it is the better clock; it
    is of no use to counters that outlive the process or are shared with another one.
    """

    __slots__ = ("_ahead", "_monotonic")

    def __init__(self, wall: Clock | None = None, monotonic: Callable[[], int] = time.monotonic_ns) -> None:
        self._monotonic = monotonic
        self._ahead = (wall or SystemClock()).now() - monotonic() // 1000

    def now(self) -> int:
        """Return microseconds since the Unix epoch, as a clock would that nobody has set since."""
        return self._ahead + self._monotonic() // 1000
