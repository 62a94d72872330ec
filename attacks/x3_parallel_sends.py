"""X3: fifty requests for a code at once."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox
from attacks.crowd import address, at_once
from attacks.people import ALICE, BOB, CAROL
from attacks.target import Setup, Target

REQUESTS = 50


def run(target: Target) -> int:
    """Ask for codes to one phone from everywhere at the same moment, and count what it gets.

    A race may be lost by luck, so mailboxes are tried after it; the most that any of them got is the result.
    """
    most = 0
    for person in (CAROL, ALICE, BOB):
        browsers = [Browser(target.client(address(number))) for number in range(REQUESTS)]
        at_once([partial(browser.request, person.contact) for browser in browsers])
        most = max(most, Mailbox(target, person.contact).count())
        if most > 1:
            break
    return most


PARALLEL_SENDS = Attack(
    "X3",
    "fifty requests for a code at once",
    "charged-ladder",
    Criterion("messages to one address", wins=2, loses=(1, 1)),
    run,
    Setup(workers=6, threads=6, proxied=True),
)
