"""Record: one login in a log, as far as a log tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Origin(StrEnum):
    """Who made a try."""

    PEOPLE = "people"
    ATTACK = "attack"
    DECOY = "decoy"
    """An attacker who logs in to an account of their own, to look like people."""


@dataclass(frozen=True, slots=True, order=True)
class Record:
    """One try to log in.

    ``at`` is in microseconds since the Unix epoch. ``account`` is what was typed, ``None`` where the log doesn't say.
    ``succeeded`` tells how it ended where nothing was in its way. ``secret`` is what a generated try guesses; no log
    holds one. ``device`` tells a generated client's browsers apart.
    """

    at: int
    address: str = field(repr=False)
    account: str | None = field(repr=False)
    succeeded: bool
    origin: Origin = Origin.PEOPLE
    secret: str | None = field(default=None, repr=False)
    device: str = ""
