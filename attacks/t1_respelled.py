"""T1: a burned token in other spellings."""

from __future__ import annotations

import base64

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read, wrong
from attacks.code_setup import PLAIN
from attacks.guessing import check_control
from attacks.people import ALICE, MALLORY
from attacks.target import Target

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
TRIES = 5


def respell(token: str) -> list[str]:
    """Return texts that a lenient decoder reads as ``token``."""
    bare = token.rstrip("=")
    padding = "=" * (-len(bare) % 4)
    meant = base64.urlsafe_b64decode(bare + padding)
    ends = [bare[:-1] + letter for letter in ALPHABET]
    same = [text for text in ends if text != bare and base64.urlsafe_b64decode(text + padding) == meant]
    others = {bare, f"{bare}=", f"{bare}==", f"{token} ", f" {token}", f"{token}\n", f"{token[:9]}\n{token[9:]}"}
    return [*same[:3], *(f"{text}{padding}" for text in same[:3]), *sorted(others - {token})]


def run(target: Target) -> int:
    """Burn a challenge, then enter the right code with its token in other spellings; count those that take it."""
    check_control(target)
    browser = Browser(target.client(MALLORY.address))
    asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    for number in range(TRIES):
        browser.enter(ALICE.contact, asked.token, wrong(asked.code, number))
    kept = dict(browser.cookies)
    entries = [
        Browser(browser.client, dict(kept)).enter(ALICE.contact, spelled, asked.code)
        for spelled in respell(asked.token)
    ]
    return sum(answer.right for answer in entries)


RESPELLED = Attack(
    "T1",
    "a burned token, spelled otherwise",
    "token-spelling",
    Criterion("spellings that work again", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
