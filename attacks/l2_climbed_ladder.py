"""L2: strangers ask for codes until the owner of the mailbox can’t."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox
from attacks.code_setup import PLAIN
from attacks.crowd import address
from attacks.people import ALICE
from attacks.target import Target

REQUESTS = 4


def run(target: Target) -> int:
    """Climb the ladder of a mailbox, then ask from its owner’s known device; count owners who get nothing."""
    device = Browser(target.client(ALICE.address), ALICE.browser(target))
    for number in range(REQUESTS):
        Browser(target.client(address(number))).request(ALICE.contact)
    mailbox = Mailbox(target, ALICE.contact)
    before = mailbox.count()
    device.request(ALICE.contact)
    return int(mailbox.count() <= before)


CLIMBED_LADDER = Attack(
    "L2",
    "codes asked for until the owner gets none",
    "known-ladder",
    Criterion("owners without a code", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
