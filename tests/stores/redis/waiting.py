"""Waiting: for what servers do in their own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event


def eventually(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Return once ``holds`` does; raises ``AssertionError`` when it doesn't within ``seconds``."""
    end, pause = time.monotonic() + seconds, Event()
    while not holds():
        assert time.monotonic() < end, "what was waited for did not happen"
        pause.wait(0.02)
