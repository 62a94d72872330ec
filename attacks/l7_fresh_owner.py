"""L7: a stranger burns an owner’s codes; the owner comes with a fresh browser and the message that it caused."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read, read_link, wrong
from attacks.code_setup import PLAIN
from attacks.crowd import address
from attacks.people import ALICE, MALLORY
from attacks.target import Target

GUESSES = 25


def run(target: Target) -> int:
    """Ask in the owner’s name and guess wrong for long, then follow the link; count owners kept out."""
    stranger = Browser(target.client(MALLORY.address))
    asked = ask_and_read(stranger, target, ALICE.contact, ALICE.contact)
    for number in range(GUESSES):
        Browser(target.client(address(number)), stranger.cookies).enter(
            ALICE.contact, asked.token, wrong(asked.code, number)
        )
    owner = Browser(target.client(ALICE.address))
    return int(not owner.post(read_link(asked.text), {}).right)


FRESH_OWNER = Attack(
    "L7",
    "an owner’s codes burned by a stranger",
    "unburnt-link",
    Criterion("owners kept out", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
