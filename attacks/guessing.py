"""Guessing: wrong codes in rounds, and whether the right one still works after them."""

from __future__ import annotations

from collections.abc import Callable

from attacks.browser import Browser, NoCode, ask_and_read, wrong
from attacks.client import Broken
from attacks.people import ALICE, BOB
from attacks.target import Target

ROUNDS, GUESSES = 10, 3


def check_control(target: Target) -> None:
    """Raise ``Broken`` where a right code after a wrong one does not let an honest person in."""
    browser = Browser(target.client(BOB.address))
    asked = ask_and_read(browser, target, BOB.contact, BOB.contact)
    browser.enter(BOB.contact, asked.token, wrong(asked.code, 0))
    if not browser.enter(BOB.contact, asked.token, asked.code).right:
        raise Broken("a right code after a wrong one was refused")


def guess_in_rounds(target: Target, next_browser: Callable[[], Browser]) -> int:
    """Guess three times after each of ten requests for a code, then enter the right one.

    Returns how many guesses went before it where it still works: so many could have been right. The attacker does not
    know the code; that it is read here tells what a lucky guess would have got.
    """
    try:
        for _ in range(ROUNDS):
            browser = next_browser()
            asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
            for number in range(GUESSES):
                browser.enter(ALICE.contact, asked.token, wrong(asked.code, number))
        browser = next_browser()
        asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    except NoCode:  # there is nothing left to guess
        return 0
    return ROUNDS * GUESSES if browser.enter(ALICE.contact, asked.token, asked.code).right else 0
