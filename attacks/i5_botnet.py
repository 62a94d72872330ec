"""I5: one account guessed from five hundred addresses, once from each."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import count_reached, from_everywhere, in_turn, passwords
from attacks.people import ALICE
from attacks.target import Setup, Target

ADDRESSES = 500


def run(target: Target) -> int:
    """Guess once from each address; the last guess is right."""
    return count_reached(in_turn(from_everywhere(target, ALICE.contact, passwords(ADDRESSES, ALICE.password))))


BOTNET = Attack(
    "I5",
    "five hundred addresses on one account",
    "account-layer",
    Criterion("guesses at one account", wins=400, loses=(1, 5)),
    run,
    Setup(proxied=True, dropped=("alarm",)),
)
