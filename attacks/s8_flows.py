"""S8: a mail bomb through every flow there is."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import LOGIN, RESET, Browser, Mailbox
from attacks.code_setup import PLAIN
from attacks.crowd import address
from attacks.numbers import CHANGE, move
from attacks.people import ALICE, MALLORY
from attacks.signups import ask
from attacks.target import Target


def run(target: Target) -> int:
    """Ask for messages to one mailbox in each flow, and count what it gets."""
    for number, path in enumerate((LOGIN, RESET)):
        Browser(target.client(address(number))).request(ALICE.contact, path)
    ask(Browser(target.client(address(2))), "alice", ALICE.contact)
    account = Browser(target.client(MALLORY.address), MALLORY.browser(target))
    account.post(CHANGE, move(ALICE.contact, MALLORY))
    return Mailbox(target, ALICE.contact).count()


FLOWS = Attack(
    "S8",
    "a mail bomb through four flows",
    "shared-ladder",
    Criterion("messages to one mailbox", wins=4, loses=(1, 1)),
    run,
    PLAIN,
)
