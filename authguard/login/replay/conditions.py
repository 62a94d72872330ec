"""Conditions: what a log doesn't say and a replay has to suppose."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class KnownDevices(StrEnum):
    """Whether the application keeps devices.

    ``PAIRS``: an account and an address from which it has logged in before stand for a known device; a log holds no
    cookies. It errs on both sides: a phone takes its cookie to the next address, and a new browser brings none home.
    """

    PAIRS = "pairs"
    NONE = "none"


class Attackers(StrEnum):
    """What an attacker does with a challenge. People always solve theirs."""

    GIVE_UP = "give-up"
    SOLVE = "solve"


@dataclass(frozen=True, slots=True)
class Conditions:
    """The suppositions of one replay.

    ``workers`` processes share the traffic and the store. What happens in the first ``warm_up`` microseconds is played
    but not counted: until people have logged in once, no device is known.
    """

    devices: KnownDevices = KnownDevices.PAIRS
    attackers: Attackers = Attackers.GIVE_UP
    workers: int = 1
    warm_up: int = 0
