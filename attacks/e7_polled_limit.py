"""E7: polling a held limit, to see when the owner logs in."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox, ask_and_read, read_code, read_link
from attacks.client import Broken
from attacks.code_setup import PLAIN
from attacks.people import ALICE, MALLORY
from attacks.target import Target


def run(target: Target) -> int:
    """Ask until refused, have the owner log in by code and by link, and ask again; count logins that were seen."""
    device = Browser(target.client(ALICE.address), ALICE.browser(target))
    stranger = Browser(target.client(MALLORY.address))
    asked = ask_and_read(stranger, target, ALICE.contact, ALICE.contact)
    last = [Browser(stranger.client).request(ALICE.contact).status for _ in range(4)][-1]
    if last != 429:
        raise Broken("the limit was never held")
    seen = 0
    if (own := device.request(ALICE.contact)).right:
        code = read_code(Mailbox(target, ALICE.contact).next_text(1))
        if not device.enter(ALICE.contact, str(own.document["token"]), code).right:
            raise Broken("the owner’s code was refused")
        seen += Browser(stranger.client).request(ALICE.contact).status != last
    if not Browser(target.client(ALICE.address)).post(read_link(asked.text), {}).right:
        raise Broken("the owner’s link was refused")
    return seen + (Browser(stranger.client).request(ALICE.contact).status != last)


POLLED_LIMIT = Attack(
    "E7",
    "a held limit polled for the owner’s login",
    "quiet-success",
    Criterion("logins seen by a stranger", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
