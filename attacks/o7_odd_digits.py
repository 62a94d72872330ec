"""O7: the right code, spelled as only a parser of numbers reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read
from attacks.client import Broken
from attacks.code_setup import FREE_SENDS
from attacks.people import ALICE
from attacks.target import Target

BENGALI = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


SPELLINGS: tuple[Callable[[str], object], ...] = (
    lambda code: code.translate(BENGALI),
    lambda code: code.translate(WIDE),
    lambda code: f"+{code}",
    lambda code: f"{code[:3]}_{code[3:]}",
    lambda code: f"0{code}",
    lambda code: f"{code}.0",
    lambda code: code[0],
    lambda code: [code],
    lambda code: {"code": code},
    int,
)


def run(target: Target) -> int:
    """Enter each odd spelling of a fresh code; count those that are taken, or told apart from a wrong code."""
    browser = Browser(target.client(ALICE.address))
    odd = 0
    for spell in SPELLINGS:
        asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
        kept = dict(browser.cookies)
        spelled = spell(asked.code)
        answer = Browser(browser.client, dict(kept)).enter(ALICE.contact, asked.token, spelled)
        plain = Browser(browser.client, kept).enter(ALICE.contact, asked.token, "12345")
        # What is no text is told to be none, whatever the code is.
        told = isinstance(spelled, str) and answer.body != plain.body
        odd += answer.right or answer.status != plain.status or told
        if not answer.right and not browser.enter(ALICE.contact, asked.token, asked.code).right:
            raise Broken("the right code was refused after an odd one")
    return odd


ODD_DIGITS = Attack(
    "O7",
    "codes in odd digits",
    "strict-digits",
    Criterion("odd spellings taken", wins=3, loses=(0, 0)),
    run,
    replace(FREE_SENDS, timed=True),
)
