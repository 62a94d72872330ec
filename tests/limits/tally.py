"""A tally: one counter driven by hand as a store would: charged only when admitted, forgotten when it expires."""

from __future__ import annotations

from authguard.limits import Counter, Limit, Plan
from authguard.limits.counting import Count
from authguard.limits.meters import meter_of
from authguard.limits.plan import KEY_SIZE

SECOND = 1_000_000
START = 4_722_222 * 360 * SECOND
"""An instant at which windows of a second, a minute and six minutes begin."""


class Tally:
    """One counter. ``limit`` may be exchanged at any time."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.state = b""
        self.expires = 0

    def look(self, now: int, cost: int = 1) -> Count:
        """Return what the algorithm says of ``cost``."""
        counter = Counter("layer", bytes(KEY_SIZE), self.limit, cost)
        return meter_of(counter).count(self.state if now < self.expires else b"", counter, Plan((counter,)), now)

    def take(self, now: int, cost: int = 1) -> bool:
        """Charge ``cost`` if it is admitted."""
        wait, _, charged, _, lifetime, _ = self.look(now, cost)
        if wait:
            return False
        self.state, self.expires = charged, now + lifetime
        return True

    def wait(self, now: int, cost: int = 1) -> int:
        """Return how long ``cost`` would have to wait."""
        return self.look(now, cost)[0]

    def left(self, now: int) -> int:
        """Return what is left."""
        return self.look(now)[1]
