"""T2: a token and its code, carried off into another browser."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.people import ALICE, MALLORY
from attacks.target import Target


def run(target: Target) -> int:
    """Enter somebody's token and code in a browser that did not ask for them, then in theirs."""
    own = Browser(target.client(ALICE.address))
    asked = ask_and_read(own, target, ALICE.contact, ALICE.contact)
    foreign = Browser(target.client(MALLORY.address))
    taken = foreign.enter(ALICE.contact, asked.token, asked.code).right
    if not taken and not own.enter(ALICE.contact, asked.token, asked.code).right:
        raise Broken("the right code was refused in its own browser")
    return int(taken)


OTHER_BROWSER = Attack(
    "T2",
    "a code in another browser",
    "browser-binding",
    Criterion("foreign browsers logged in", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
