"""Sample: the different accounts tried of late, failing and succeeding, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple


class Seen(NamedTuple):
    """When an account's latest outcome was, and whether it came through within the window."""

    at: float
    succeeded: bool


class Sample:
    """Different accounts of the last ``window`` seconds, failing and succeeding, in bounded memory.

    An account that came through once counts as succeeding for the window. When there are too many to keep, a half of
    them is, told by their tags, which nobody outside can choose: so a flood of made-up names pushes failing and
    succeeding accounts out alike, and their ratio stays.
    """

    def __init__(self, window: float, capacity: int) -> None:
        self._window = window
        self._capacity = capacity
        self._seen: OrderedDict[bytes, Seen] = OrderedDict()
        self._mask = 0
        self.failing = 0
        self.succeeding = 0

    def note(self, tag: bytes, succeeded: bool, now: float) -> None:
        """Take note of an outcome at ``now``."""
        self.expire(now)
        if int.from_bytes(tag[:4]) & self._mask:
            return
        before = self._seen.pop(tag, None)
        if before is not None:
            self._count(before, -1)
        seen = Seen(now, succeeded or (before is not None and before.succeeded))
        self._seen[tag] = seen  # behind all others: the order is that of time
        self._count(seen, +1)
        while len(self._seen) > self._capacity:
            self._thin()

    def expire(self, now: float) -> None:
        """Forget what is older than the window."""
        while self._seen:
            tag, oldest = next(iter(self._seen.items()))
            if now - oldest.at < self._window:
                break
            self._drop(tag)
        if self._mask and len(self._seen) < self._capacity // 8:
            self._mask >>= 1

    def __len__(self) -> int:
        """Return how many accounts are kept."""
        return len(self._seen)

    def _thin(self) -> None:
        self._mask = self._mask << 1 | 1
        for tag in [tag for tag in self._seen if int.from_bytes(tag[:4]) & self._mask]:
            self._drop(tag)

    def _drop(self, tag: bytes) -> None:
        self._count(self._seen.pop(tag), -1)

    def _count(self, seen: Seen, by: int) -> None:
        if seen.succeeded:
            self.succeeding += by
        else:
            self.failing += by
