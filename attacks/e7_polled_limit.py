"""E7: polling a held limit, to see when the owner logs in."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read, read_link
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.people import ALICE, MALLORY
from attacks.target import Target


def run(target: Target) -> int:
    """Ask until refused, have the owner follow the link, and ask again; count logins that were seen."""
    stranger = Browser(target.client(MALLORY.address))
    asked = ask_and_read(stranger, target, ALICE.contact, ALICE.contact)
    before = {Browser(stranger.client).request(ALICE.contact).status for _ in range(3)}
    last = Browser(stranger.client).request(ALICE.contact).status
    if not Browser(target.client(ALICE.address)).post(read_link(asked.text), {}).right:
        raise Broken("the owner’s link was refused")
    if before and last != 429:
        raise Broken("the limit was never held")
    return int(Browser(stranger.client).request(ALICE.contact).status != last)


POLLED_LIMIT = Attack(
    "E7",
    "a held limit polled for the owner’s login",
    "quiet-success",
    Criterion("logins seen by a stranger", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
