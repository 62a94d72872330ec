"""O2: three guesses, a new challenge in a fresh browser at another address, three guesses, and so on."""

from __future__ import annotations

from itertools import count

from attacks.attack import Attack, Criterion
from attacks.browser import Browser
from attacks.code_setup import FREE_SENDS
from attacks.crowd import address
from attacks.guessing import check_control, guess_in_rounds
from attacks.target import Target


def run(target: Target) -> int:
    """Guess in rounds, each in a browser of its own; count guesses that stopped nothing."""
    check_control(target)
    numbers = count()
    return guess_in_rounds(target, lambda: Browser(target.client(address(next(numbers)))))


NEW_CHALLENGE = Attack(
    "O2",
    "a new challenge for every few guesses",
    "guess-budget",
    Criterion("guesses after which the right code still works", wins=30, loses=(0, 20)),
    run,
    FREE_SENDS,
)
