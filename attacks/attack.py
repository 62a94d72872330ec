"""Attack: what one attack does, and what counts as winning and as losing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from attacks.target import Setup, Target


@dataclass(frozen=True, slots=True)
class Criterion:
    """What an attack counts, from which number on it has won, and between which numbers it has lost.

    ``loses`` has a lower bound too: an attack on a server that answers nothing at all has not been fended off.
    """

    unit: str
    wins: int
    loses: tuple[int, int]

    def is_won(self, count: int) -> bool:
        """Return whether ``count`` is enough for the attacker."""
        return count >= self.wins

    def is_lost(self, count: int) -> bool:
        """Return whether ``count`` is what the defense promises."""
        return self.loses[0] <= count <= self.loses[1]


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: ``run`` carries it out against a target and returns the count that ``criterion`` judges."""

    name: str
    title: str
    defense: str
    criterion: Criterion
    run: Callable[[Target], int]
    setup: Setup = field(default_factory=Setup)
