"""O5: a code that was asked for to log in sets a new password."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.people import ALICE
from attacks.target import Target


def run(target: Target) -> int:
    """Enter a login code where the reset's is asked for, and count passwords that it changed."""
    browser = Browser(target.client(ALICE.address))
    asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    entry = {"identifier": ALICE.contact, "token": asked.token, "code": asked.code}
    changed = browser.post("/reset", {**entry, "password": "a thief chose this one"}).right
    if not changed and not browser.enter(ALICE.contact, asked.token, asked.code).right:
        raise Broken("the right code was refused in its own flow")
    return int(changed)


OTHER_FLOW = Attack(
    "O5",
    "a login code used for a reset",
    "purpose-binding",
    Criterion("passwords changed", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
