"""Expiries: the keys of an in-process store by the second in which they are to be looked at, the earliest first.

A key is put down and taken in constant time however many there are, because nobody needs them in the order in which
they expire within a second.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator

_BITS = 20
SECOND = 1 << _BITS
"""Microseconds in what is a second here: a power of two, because dividing by one is cheaper."""
_NEVER = 1 << 62


class Expiries:
    """Puts down keys under the time, in microseconds, at which they expire."""

    __slots__ = ("_keys", "_seconds", "earliest")

    def __init__(self) -> None:
        self._keys: dict[int, list[bytes]] = {}
        self._seconds: list[int] = []
        self.earliest = _NEVER
        """The time before which no key is due."""

    def add(self, due: int, key: bytes) -> None:
        """Put ``key`` down."""
        second = due >> _BITS
        try:
            self._keys[second].append(key)
        except KeyError:
            self._keys[second] = [key]
            heapq.heappush(self._seconds, second)
            self.earliest = self._seconds[0] << _BITS

    def take(self, most: int, until: int) -> list[bytes]:
        """Take ``most`` of the keys that are due by ``until``, the earliest first, or as many as there are."""
        taken: list[bytes] = []
        while self.earliest <= until and len(taken) < most:
            keys = self._keys[self._seconds[0]]
            some = slice(len(taken) - most, None)
            taken += keys[some]
            del keys[some]
            if not keys:
                del self._keys[heapq.heappop(self._seconds)]
                self.earliest = self._seconds[0] << _BITS if self._seconds else _NEVER
        return taken

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Yield when each key is due, to the second, and the key."""
        for second, keys in self._keys.items():
            for key in keys:
                yield second << _BITS, key
