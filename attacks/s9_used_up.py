"""S9: a channel used up, so that those who have long been here get no message."""

from __future__ import annotations

import time

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox, read_code
from attacks.client import Broken
from attacks.numbers import ask_all
from attacks.people import ALICE, BOB, MALLORY, Person
from attacks.target import Setup, Target

CAP = 10
LIFE = 1
"""Seconds after which an address whose code was used counts as known."""


def run(target: Target) -> int:
    """Ask for more messages than there are, from a browser known for a moment too; count owners who get none then."""
    owners = [(person, _use_a_code(target, person)) for person in (ALICE, BOB)]
    farmed = Browser(target.client(MALLORY.address), MALLORY.browser(target))
    time.sleep(LIFE)
    ask_all(target, [f"newcomer{number}@example.org" for number in range(2 * CAP)])
    farmed.request(MALLORY.contact)
    for person, device in owners:
        device.request(person.contact)
    return sum(Mailbox(target, person.contact).count() == 1 for person, _ in owners)


def _use_a_code(target: Target, person: Person) -> Browser:
    """Log in by a code, and return the browser, which the account knows."""
    device = Browser(target.client(person.address), person.browser(target))
    token = device.ask(person.contact)
    code = read_code(Mailbox(target, person.contact).next_text(0))
    if not device.enter(person.contact, token, code).right:
        raise Broken(f"{person.name} can’t use a code even before the attack")
    return device


USED_UP = Attack(
    "S9",
    "a cap used up to starve others",
    "known-share",
    Criterion("owners without a code", wins=2, loses=(0, 0)),
    run,
    Setup(proxied=True, config=f'[spend.mail]\nknown_after = "{LIFE}s"\n[spend.mail.caps]\nday = "{CAP}/1d"\n'),
)
