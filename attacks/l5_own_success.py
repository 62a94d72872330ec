"""L5: an attacker's own successful login between the guesses, to wipe the address's slate."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import count_reached
from attacks.people import MALLORY
from attacks.target import SPRAY_LAYERS, Setup, Target

ROUNDS = 4
GUESSES = 15


def run(target: Target) -> int:
    """Guess fifteen times, log in to one's own account, and again."""
    attacker = target.client(MALLORY.address)
    reached = 0
    for turn in range(ROUNDS):
        reached += count_reached(attacker.login(f"user{turn}-{number}", "password1") for number in range(GUESSES))
        attacker.login(MALLORY.name, MALLORY.password)
    return reached


OWN_SUCCESS = Attack(
    "L5",
    "own logins between guesses",
    "kept-failures",
    Criterion("accounts tried from one address", wins=ROUNDS * GUESSES, loses=(1, 20)),
    run,
    # Without what sees many accounts, which would refuse the attacker's own login before it could clear anything.
    Setup(proxied=True, dropped=SPRAY_LAYERS),
)
