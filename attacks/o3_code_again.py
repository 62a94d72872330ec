"""O3: a code that has logged its owner in is entered a second time, by whoever looked over their shoulder."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.people import ALICE
from attacks.target import Target


def run(target: Target) -> int:
    """Log in by a code, enter it again in the same browser, and count second logins."""
    browser = Browser(target.client(ALICE.address))
    asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    before = dict(browser.cookies)
    if not browser.enter(ALICE.contact, asked.token, asked.code).right:
        raise Broken("the right code was refused")
    again = Browser(browser.client, before)
    return int(again.enter(ALICE.contact, asked.token, asked.code).right)


CODE_AGAIN = Attack(
    "O3",
    "a code entered again",
    "used-codes",
    Criterion("second logins", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
