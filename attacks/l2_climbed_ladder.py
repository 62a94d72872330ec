"""L2: strangers ask for codes to a phone until its owner can’t get any."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.crowd import address
from attacks.people import CAROL
from attacks.target import Target

REQUESTS = 4


def run(target: Target) -> int:
    """Climb the ladder of a phone, then ask from its owner’s known device; count owners who get nothing."""
    device = Browser(target.client(CAROL.address), CAROL.browser(target))
    for number in range(REQUESTS):
        Browser(target.client(address(number))).request(CAROL.contact)
    phone = Mailbox(target, CAROL.contact)
    before = phone.count()
    if not before:
        raise Broken("no message reached the phone")
    device.request(CAROL.contact)
    return int(phone.count() <= before)


CLIMBED_LADDER = Attack(
    "L2",
    "codes asked for until the owner gets none",
    "known-ladder",
    Criterion("owners without a code", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
