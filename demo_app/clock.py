"""Clock: a demo whose clock is wrong, to see what goes by it. For trying attacks on this machine only."""

from __future__ import annotations

import time


def put_clock_wrong(seconds: int) -> None:
    """Have all that is imported into this process read the time ``seconds`` later than it is."""
    true, true_ns = time.time, time.time_ns
    if seconds:
        time.time = lambda: true() + seconds
        time.time_ns = lambda: true_ns() + seconds * 1_000_000_000
