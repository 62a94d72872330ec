"""Deadline: the end of a conversation, whatever it consists of, so that no slow part of it is waited for in full."""

from __future__ import annotations

from time import monotonic

from authguard.errors import ConfigurationError

LONGEST_TIMEOUT = 60
"""Seconds: whoever waits longer than that for a provider has its messages wait, too."""


class Deadline:
    """So many seconds from now. No thread watches it, for a process that ends can't begin one (since Python 3.12)."""

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    def left(self, most: float = LONGEST_TIMEOUT) -> float:
        """Return how many seconds are left, at most ``most``; raises ``TimeoutError`` where none are."""
        left = self._end - monotonic()
        if left <= 0:
            raise TimeoutError("this took longer than it may")
        return min(left, most)

    def shorten(self, seconds: float) -> None:
        """Let it end ``seconds`` from now, unless it ends sooner."""
        self._end = min(self._end, monotonic() + seconds)


def check_timeout(seconds: float) -> float:
    """Return ``seconds``; raises ``ConfigurationError`` where they are no sensible time-out."""
    if not 0 < seconds <= LONGEST_TIMEOUT:
        raise ConfigurationError(f"a provider's timeout must be over 0 and at most {LONGEST_TIMEOUT} seconds")
    return seconds
