"""I5: one account guessed from five hundred addresses, once from each."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import address, count_reached, in_turn
from attacks.people import ALICE
from attacks.target import Setup, Target

ADDRESSES = 500


def run(target: Target) -> int:
    """Guess once from each address; the last guess is right."""
    passwords = [*(f"guess {number}" for number in range(1, ADDRESSES)), ALICE.password]
    calls = [
        lambda number=number, password=password: target.client(address(number)).login(ALICE.contact, password)
        for number, password in enumerate(passwords)
    ]
    return count_reached(in_turn(calls))


BOTNET = Attack(
    "I5",
    "five hundred addresses on one account",
    "account-layer",
    Criterion("guesses at one account", wins=ADDRESSES, loses=(1, 5)),
    run,
    Setup(proxied=True),
)
