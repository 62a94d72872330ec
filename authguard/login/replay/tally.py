"""Tally: what became of the tries of one origin."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from authguard.login.replay.record import Record


class Fate(StrEnum):
    """What became of a try.

    ``PASSED``: its secret was looked at. ``CHALLENGED``: it was not, for want of a solved challenge. ``SOLVED``: it was
    after one. ``DENIED``: it was refused, and no challenge would have helped.
    """

    PASSED = "passed"
    CHALLENGED = "challenged"
    SOLVED = "solved"
    DENIED = "denied"


@dataclass(frozen=True, slots=True)
class Fall:
    """A fate and the layers that brought it about."""

    fate: Fate
    layers: tuple[str, ...] = ()


@dataclass(slots=True)
class Tally:
    """Counts of tries, and who was hit. A challenge that was solved counts as a challenge, and its try as passed."""

    tries: int = 0
    passed: int = 0
    successes: int = 0
    challenged: int = 0
    denied: int = 0
    accounts: set[str] = field(default_factory=set)
    challenged_accounts: set[str] = field(default_factory=set)
    denied_accounts: set[str] = field(default_factory=set)
    layers: Counter[str] = field(default_factory=Counter)

    def add(self, record: Record, fall: Fall) -> None:
        """Count the try ``record``, which ended as ``fall`` says."""
        who = record.account or record.address
        self.tries += 1
        self.accounts.add(who)
        self.layers.update(fall.layers)
        if fall.fate in (Fate.PASSED, Fate.SOLVED):
            self.passed += 1
            self.successes += record.succeeded
        if fall.fate in (Fate.CHALLENGED, Fate.SOLVED):
            self.challenged += 1
            self.challenged_accounts.add(who)
        if fall.fate is Fate.DENIED:
            self.denied += 1
            self.denied_accounts.add(who)
