"""L9: sign-ups that are never confirmed, in a victim's name and all over a company's domain."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, Mailbox
from attacks.crowd import address
from attacks.signups import ask, confirm, finish
from attacks.target import Setup, Target

VICTIM, COLLEAGUE = "victim@company.example", "colleague@company.example"
REQUESTS = 4
"""One more than the messages in ten minutes that an account may ask for to log in."""
DOMAIN = 5
"""Accounts a day that the domain may have."""
CONFIG = f'[policies.signup-confirm.layers.domain]\nlimit = "{DOMAIN}/24h"\n'


def run(target: Target) -> int:
    """Ask in the victim's name and for enough invented people; count who of the company can't sign up any more."""
    invented = [f"person{number}@company.example" for number in range(DOMAIN)]
    for number, contact in enumerate((*[VICTIM] * REQUESTS, *invented)):
        ask(Browser(target.client(address(number))), f"person {number}", contact)
    return sum(not _joins(target, contact, 100 + number) for number, contact in enumerate((VICTIM, COLLEAGUE)))


def _joins(target: Target, contact: str, number: int) -> bool:
    """Return whether somebody gets an account: by a code of their own, or by the link in what strangers had sent."""
    browser, name = Browser(target.client(address(number))), f"newcomer {number}"
    mailbox = Mailbox(target, contact)
    before = mailbox.count()
    asked = ask(browser, name, contact)
    if not asked.right:
        return False
    if mailbox.count() > before:
        return confirm(browser, asked, mailbox.texts()[0]).right
    return before > 0 and finish(browser, name, mailbox.texts()[0]).right


TAKEN_PLACE = Attack(
    "L9",
    "sign-ups that are never confirmed",
    "late-place",
    Criterion("newcomers kept out", wins=2, loses=(0, 0)),
    run,
    Setup(proxied=True, config=CONFIG),
)
