"""N5: a reset for a letter that only looks like the owner’s."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.browser import QUIET, RESET, Browser
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.crowd import address
from attacks.people import ALICE
from attacks.target import Target

LOOK_ALIKES = ("aℓice@example.com", "ａlice@example.com", "alⅰce@example.com", "alıce@example.com")


def run(target: Target) -> int:
    """Ask for resets under look-alikes of an address, and count messages that go to any other mailbox."""
    for number, spelled in enumerate(LOOK_ALIKES):
        Browser(target.client(address(number))).request(spelled, RESET)
    time.sleep(QUIET)
    messages = target.client(ALICE.address).insist("GET", "/outbox").document["messages"]
    recipients = [message["recipient"] for message in messages]
    if not recipients:
        raise Broken("no message arrived at all")
    return sum(recipient != ALICE.contact for recipient in recipients)


HOMOGLYPH = Attack(
    "N5",
    "a reset for a look-alike address",
    "stored-address",
    Criterion("messages to a stranger’s mailbox", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
