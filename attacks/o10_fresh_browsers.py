"""O10: a request for a code from one fresh browser after another."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox
from attacks.code_setup import PLAIN
from attacks.crowd import address
from attacks.people import ALICE
from attacks.target import Target

REQUESTS = 10


def run(target: Target) -> int:
    """Ask ten times in turn, each time without cookies and from another address; count what the mailbox gets."""
    for number in range(REQUESTS):
        Browser(target.client(address(number))).request(ALICE.contact)
    return Mailbox(target, ALICE.contact).count()


FRESH_BROWSERS = Attack(
    "O10",
    "the wait between codes skipped",
    "destination-ladder",
    Criterion("messages to one mailbox", wins=10, loses=(1, 1)),
    run,
    PLAIN,
)
