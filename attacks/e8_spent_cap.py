"""E8: a spent channel answers accounts and nobody alike, or not."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.browser import QUIET
from attacks.client import Broken
from attacks.crowd import address
from attacks.people import ALICE, BOB, DMITRI, ELENI, MALLORY
from attacks.target import Setup, Target


def run(target: Target) -> int:
    """Spend the cap on messages, then ask for an account and for nobody; count answers told apart."""
    for number, person in enumerate((BOB, DMITRI, ELENI, MALLORY)):
        target.client(address(number)).send("POST", "/code-login", {"identifier": person.contact})
    time.sleep(QUIET)
    known, unknown = (
        target.client(address(number)).send("POST", "/code-login", {"identifier": identifier})
        for number, identifier in ((8, ALICE.contact), (9, "nobody@example.com"))
    )
    if known.status != 503:
        raise Broken("the cap was never spent")
    return int(known.status != unknown.status)


SPENT_CAP = Attack(
    "E8",
    "a spent cap that tells accounts from nobody",
    "blind-cap",
    Criterion("identifiers told apart", wins=1, loses=(0, 0)),
    run,
    Setup(proxied=True, config='[spend.mail.caps]\nday = "2/1d"\n'),
)
