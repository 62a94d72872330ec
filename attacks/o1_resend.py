"""O1: three guesses, another code to the same form, three guesses, and so on."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser
from attacks.code_setup import FREE_SENDS
from attacks.guessing import check_control, guess_in_rounds
from attacks.people import MALLORY
from attacks.target import Target


def run(target: Target) -> int:
    """Guess in rounds, each after another message of the same challenge; count guesses that stopped nothing."""
    check_control(target)
    browser = Browser(target.client(MALLORY.address))
    return guess_in_rounds(target, lambda: browser)


RESEND = Attack(
    "O1",
    "guesses between resends",
    "kept-tries",
    Criterion("guesses after which the right code still works", wins=30, loses=(0, 20)),
    run,
    FREE_SENDS,
)
