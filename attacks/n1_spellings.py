"""N1: one account in fifty spellings (case, outer spaces, compatibility characters), each with a budget of its own."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.crowd import address, count_reached, in_turn, passwords
from attacks.people import ALICE
from attacks.target import Setup, Target

SPELLINGS_TRIED = 50
TRIES_EACH = 5


def spell(number: int) -> str:
    """Return the ``number``-th spelling of Alice's address: its bits choose case, width and spaces."""
    local, _, domain = ALICE.contact.partition("@")
    letters = [letter.upper() if number >> place & 1 else letter for place, letter in enumerate(local)]
    if number & 32:
        letters[0] = chr(ord(letters[0]) + 0xFEE0)  # fullwidth: NFKC takes it back
    return f"{' ' * (number % 3)}{''.join(letters)}@{domain}{' ' * (number % 2)}"


def run(target: Target) -> int:
    """Guess five times in each spelling, always from another address; the last guess is right."""
    guesses = enumerate(passwords(SPELLINGS_TRIED * TRIES_EACH, ALICE.password))
    calls = [
        partial(target.client(address(number)).login, spell(number // TRIES_EACH), guess) for number, guess in guesses
    ]
    return count_reached(in_turn(calls))


SPELLINGS = Attack(
    "N1",
    "fifty spellings of one account",
    "spelling",
    Criterion("guesses at one account", wins=200, loses=(1, 5)),
    run,
    Setup(proxied=True),
)
