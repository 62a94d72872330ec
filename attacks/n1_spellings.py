"""N1: one account in fifty spellings (case, outer spaces, compatibility characters), each with a budget of its own."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.crowd import address, count_reached, in_turn, passwords
from attacks.people import ALICE
from attacks.target import Setup, Target

SPELLINGS_TRIED = 50
TRIES_EACH = 5
ALPHABETS = (0xFF41, 0x24D0, 0x1D41A, 0x1D5EE, 0x1D68A)
"""Where other small Latin letters begin, all of which NFKC takes back: fullwidth, circled, bold, sans-serif, typed."""
BLANKS = ("", " ", "\t", "\u00a0", "\u3000")


def spell(number: int) -> str:
    """Return the ``number``-th spelling of Alice's address: ten with capitals, the rest with other letters too."""
    local, _, domain = ALICE.contact.partition("@")
    alphabet, place = divmod(number, 10)
    letters = [letter.upper() if (place + 1) >> index & 1 else letter for index, letter in enumerate(local)]
    if alphabet:
        first = ALPHABETS[alphabet] if place % 2 else ALPHABETS[0]
        letters[place % len(local)] = chr(first + ord(local[place % len(local)]) - ord("a"))
    return f"{BLANKS[place % len(BLANKS)]}{''.join(letters)}@{domain}{BLANKS[alphabet]}"


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
    Setup(proxied=True, dropped=("alarm",)),
)
