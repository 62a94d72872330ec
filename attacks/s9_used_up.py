"""S9: a channel used up, so that those who have long been here get no message."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox
from attacks.numbers import ask_all
from attacks.people import ALICE, BOB
from attacks.target import Setup, Target

CAP = 10


def run(target: Target) -> int:
    """Ask for more messages than there are, then for one from each owner's own device; count who gets none."""
    owners = [(person, Browser(target.client(person.address), person.browser(target))) for person in (ALICE, BOB)]
    ask_all(target, [f"newcomer{number}@example.org" for number in range(2 * CAP)])
    for person, device in owners:
        device.request(person.contact)
    return sum(Mailbox(target, person.contact).count() == 0 for person, _ in owners)


USED_UP = Attack(
    "S9",
    "a cap used up to starve others",
    "known-share",
    Criterion("owners without a code", wins=2, loses=(0, 0)),
    run,
    Setup(proxied=True, config=f'[spend.mail.caps]\nday = "{CAP}/1d"\n'),
)
