"""T6: guesses at one challenge without end."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read, wrong
from attacks.code_setup import PLAIN
from attacks.guessing import check_control
from attacks.people import ALICE, MALLORY
from attacks.target import Target

GUESSES = 12


def run(target: Target) -> int:
    """Enter wrong codes at one challenge, then the right one; count guesses that stopped nothing."""
    check_control(target)
    browser = Browser(target.client(MALLORY.address))
    asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    for number in range(GUESSES):
        browser.enter(ALICE.contact, asked.token, wrong(asked.code, number))
    return GUESSES if browser.enter(ALICE.contact, asked.token, asked.code).right else 0


ENDLESS = Attack(
    "T6",
    "guesses at one challenge without end",
    "burning",
    Criterion("guesses after which the right code still works", wins=12, loses=(0, 5)),
    run,
    PLAIN,
)
