"""Counting: the shape that every algorithm has, so that the engine need not know which one it drives."""

from __future__ import annotations

from typing import Any, Protocol

from authguard.limits.limit import Limit

NEVER = -1
"""A wait that no time ends: the cost is above the capacity."""
NOT_CHARGED = -1
"""The stamp of a counter that this decision did not charge."""

Count = tuple[int, int, Any, int, int, int]
"""``(wait, left, charged, stamp, lifetime, then_left)``: one look at a counter.

``wait`` is in how many microseconds from ``now`` the cost would be admitted (0: it is; ``NEVER``), ``left`` what is
left before anything is charged. Where the wait is 0, ``charged`` is what the state becomes if the cost is charged,
``stamp`` the time of that charge, ``lifetime`` for how many microseconds, at least 1, the new state differs from an
empty one, and ``then_left`` what is left after it. A plain tuple, because a decision makes one for every counter.
"""


class Arithmetic(Protocol):
    """What the file of a plain algorithm defines. States are its own matter, and empty before the first charge.

    They are bytes, except in :mod:`~authguard.limits.times`.
    """

    def count(self, state: Any, limit: Limit, cost: int, now: int) -> Count:
        """Return whether ``cost`` is admitted, and what charging it makes of the state."""
        ...

    def merge(self, one: Any, other: Any, limit: Limit, now: int) -> Any:
        """Return the state in which everything that counts in either counts."""
        ...


def refuse(wait: int, left: int) -> Count:
    """Return the count of a cost that is not admitted."""
    return wait, left, b"", NOT_CHARGED, 0, left
