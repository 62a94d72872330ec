"""Clock: a demo whose clock is wrong, to see what goes by it. For trying attacks on this machine only."""

from __future__ import annotations

import sys
import time


def put_clock_wrong(seconds: int) -> None:
    """Have all code in this process read the time ``seconds`` later than it is, under whatever name it imported it."""
    true, true_ns = time.time, time.time_ns
    replaced = {true: lambda: true() + seconds, true_ns: lambda: true_ns() + seconds * 1_000_000_000}
    for module in list(sys.modules.values()) if seconds else ():
        for name, value in list(vars(module).items()):
            if value is true or value is true_ns:
                setattr(module, name, replaced[value])
