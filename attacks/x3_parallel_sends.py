"""X3: fifty requests for a code at once."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox
from attacks.crowd import address, at_once
from attacks.people import ALICE
from attacks.target import Setup, Target

REQUESTS = 50


def run(target: Target) -> int:
    """Ask for codes to one mailbox from everywhere at the same moment, and count what it gets."""
    browsers = [Browser(target.client(address(number))) for number in range(REQUESTS)]
    at_once([partial(browser.request, ALICE.contact) for browser in browsers])
    return Mailbox(target, ALICE.contact).count()


PARALLEL_SENDS = Attack(
    "X3",
    "fifty requests for a code at once",
    "charged-ladder",
    Criterion("messages to one mailbox", wins=2, loses=(1, 1)),
    run,
    Setup(workers=6, threads=6, proxied=True),
)
