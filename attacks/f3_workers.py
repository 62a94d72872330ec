"""F3: four workers, of which each has a counter of its own."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import count_reached, from_everywhere, in_turn, passwords
from attacks.people import ALICE
from attacks.target import Setup, Target

WORKERS_SERVED = 4
GUESSES = 120


def run(target: Target) -> int:
    """Guess on a new connection each time, many of them open, so that every worker gets some."""
    calls = from_everywhere(target, ALICE.contact, passwords(GUESSES, ALICE.password))
    return count_reached(in_turn(calls, threads=16))


WORKERS = Attack(
    "F3",
    "a counter for each worker",
    "shared-store",
    Criterion("guesses at one account", wins=10, loses=(1, 5)),
    run,
    Setup(workers=WORKERS_SERVED, threads=2, proxied=True),
)
