"""O6: the code of one's own account, entered for somebody else's."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.people import ALICE, MALLORY
from attacks.target import Target


def run(target: Target) -> int:
    """Ask for a code for oneself and enter it under another name; count accounts taken over."""
    browser = Browser(target.client(MALLORY.address))
    asked = ask_and_read(browser, target, MALLORY.contact, MALLORY.contact)
    answer = browser.enter(ALICE.contact, asked.token, asked.code)
    taken = answer.right and answer.document["name"] == ALICE.name
    if not taken and not browser.enter(MALLORY.contact, asked.token, asked.code).right:
        raise Broken("the right code was refused under its own name")
    return int(taken)


OTHERS_CODE = Attack(
    "O6",
    "one’s own code on another account",
    "identity-binding",
    Criterion("accounts taken over", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
