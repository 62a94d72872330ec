"""LRU: counts in a cache that makes room by forgetting whoever was not seen for longest, blocked or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from flask import Flask

from demo_app.gate import Defenses
from demo_app.naive.hand_counter import HandCounter, count_by_hand
from demo_app.naive.hits import DictLog, Log

ROOM = 128
"""Keys, as in ``functools.lru_cache``."""


class _CacheLog(DictLog):
    def add(self, key: str, at: float) -> None:
        self.hits[key] = [*self.hits.pop(key, ()), at]  # taken out and put back: the last that was seen
        while len(self.hits) > ROOM:
            del self.hits[next(iter(self.hits))]

    def remove(self, key: str, at: float) -> None:
        if at in self.hits.get(key, []):
            super().remove(key, at)


class CachedHits:
    """Hits in a cache of this process."""

    def __init__(self) -> None:
        self._log = _CacheLog()
        self._lock = Lock()

    @contextmanager
    def open(self) -> Iterator[Log]:
        """Open the cache."""
        with self._lock:
            yield self._log


def count_in_cache(app: Flask, defenses: Defenses) -> Defenses:
    """Replace a store that keeps every counter until it ends."""
    return count_by_hand(app, defenses, HandCounter, CachedHits())
