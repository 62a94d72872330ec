"""I6: a client whose address can't be found, so that the proxy's own stands in, which an allow-list holds."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import count_reached, passwords
from attacks.people import ALICE
from attacks.target import Setup, Target

GUESSES = 40
PROXY = "127.0.0.1"
"""The proxy's machine, on which a monitor lives as well."""


def run(target: Target) -> int:
    """Guess, in turn with no header at all and with an entry that is no address; the last guess is right."""
    clients = target.client(), target.client("unknown")
    guesses = passwords(GUESSES, ALICE.password)
    return count_reached(clients[number % 2].login(ALICE.contact, guess) for number, guess in enumerate(guesses))


DEGRADED = Attack(
    "I6",
    "the proxy’s address on an allow-list",
    "certain-address",
    Criterion("guesses at one account", wins=30, loses=(1, 5)),
    run,
    Setup(proxied=True, options=("--monitor", PROXY)),
)
