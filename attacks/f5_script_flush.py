"""F5: a Redis whose scripts are flushed, as an operator or a restart may do."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import count_reached
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

GUESSES = 30


def run(target: Target) -> int:
    """Flush the scripts, and guess."""
    target.server.ask("SCRIPT", "FLUSH")
    attacker = target.client(MALLORY.address)
    return count_reached(attacker.login(ALICE.contact, f"guess {number}") for number in range(GUESSES))


SCRIPT_FLUSH = Attack(
    "F5",
    "flushed scripts",
    "script-reload",
    Criterion("guesses at one account", wins=25, loses=(1, 5)),
    run,
    # One worker: another might start, and send its script, after the flush.
    Setup(workers=1, proxied=True, redis=()),
)
