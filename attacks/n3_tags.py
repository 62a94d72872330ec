"""N3: one mailbox under ever new tags and dots, for an account each."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser
from attacks.code_setup import FREE_SENDS
from attacks.crowd import address
from attacks.signups import sign_up
from attacks.target import Target

SPELLINGS = (
    *(f"shared.mailbox+{number}@gmail.com" for number in range(8)),
    "sharedmailbox@gmail.com",
    "s.h.a.r.e.d.mailbox@gmail.com",
    "SharedMail.Box@googlemail.com",
    "shared.mailbox@gmail.com",
)


def run(target: Target) -> int:
    """Sign up by each spelling, from ever new addresses, and count the accounts."""
    made = 0
    for number, spelling in enumerate(SPELLINGS):
        made += sign_up(Browser(target.client(address(number))), target, f"tag {number}", spelling).right
    return made


TAGS = Attack(
    "N3",
    "one mailbox, many sign-ups",
    "mailbox-place",
    Criterion("accounts of one mailbox", wins=len(SPELLINGS), loses=(1, 1)),
    run,
    FREE_SENDS,
)
