"""N4: one phone number in twenty spellings."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox, read_code
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.crowd import address
from attacks.numbers import CHANGE, move
from attacks.people import ALICE
from attacks.target import Target

PHONE = "+447400123456"


def _move_to_phone(target: Target) -> str:
    """Have the account's messages go to a phone, as its owner does, and return the number."""
    owner = Browser(target.client(ALICE.address), ALICE.browser(target))
    started = owner.post(CHANGE, move(PHONE, ALICE))
    code = read_code(Mailbox(target, PHONE).next_text(0))
    entry = {"contact": PHONE, "token": started.document["token"], "code": code}
    if not owner.post("/account/contact/confirm", entry).right:
        raise Broken("the owner could not move to the phone")
    return PHONE


def run(target: Target) -> int:
    """Ask for a code once in each spelling, from everywhere, and count what the phone gets."""
    number = _move_to_phone(target)
    spellings = [f"{number[:cut]}{gap}{number[cut:]}" for gap in (" ", "-") for cut in range(3, 13)]
    spellings += [f"{number};ext={digit}" for digit in range(3)]
    for place, spelled in enumerate(spellings):
        Browser(target.client(address(place))).request(spelled)
    return Mailbox(target, number).count() - 1


PHONE_SPELLINGS = Attack(
    "N4",
    "twenty spellings of one phone number",
    "phone-spelling",
    Criterion("messages to one phone", wins=18, loses=(1, 1)),
    run,
    PLAIN,
)
