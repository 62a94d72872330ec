"""O4: the code of an earlier message, after another one was asked for in the same browser."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read
from attacks.client import Broken
from attacks.code_setup import FREE_SENDS
from attacks.people import ALICE
from attacks.target import Target


def run(target: Target) -> int:
    """Enter the earlier code with both tokens; count the tokens that take it. The newer one must work."""
    browser = Browser(target.client(ALICE.address))
    old = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    new = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    before = dict(browser.cookies)
    taken = sum(
        Browser(browser.client, dict(before)).enter(ALICE.contact, token, old.code).right
        for token in (old.token, new.token)
    )
    if not taken and not browser.enter(ALICE.contact, new.token, new.code).right:
        raise Broken("the newer code was refused")
    return taken


OLD_CODE = Attack(
    "O4",
    "an old code after a resend",
    "newest-only",
    Criterion("old codes accepted", wins=1, loses=(0, 0)),
    run,
    FREE_SENDS,
)
