"""L9: sign-ups that are never confirmed, in a victim's name and all over a company's domain."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import address
from attacks.signups import ask, confirm
from attacks.target import Setup, Target

VICTIM, COLLEAGUE = "victim@company.example", "colleague@company.example"
DOMAIN = 5
"""Accounts a day that the domain may have."""
CONFIG = f'[policies.signup-confirm.layers.domain]\nlimit = "{DOMAIN}/24h"\n'


def run(target: Target) -> int:
    """Ask in the victim's name and for enough invented people; count who of the company can't sign up any more."""
    invented = [f"person{number}@company.example" for number in range(DOMAIN)]
    for number, contact in enumerate((VICTIM, *invented)):
        ask(target.client(address(number)), f"person {number}", contact)
    return sum(not _joins(target, contact, 100 + number) for number, contact in enumerate((VICTIM, COLLEAGUE)))


def _joins(target: Target, contact: str, number: int) -> bool:
    client = target.client(address(number))
    asked = ask(client, f"newcomer {number}", contact)
    return asked.right and confirm(client, asked).right


TAKEN_PLACE = Attack(
    "L9",
    "sign-ups that are never confirmed",
    "late-place",
    Criterion("newcomers kept out", wins=2, loses=(0, 0)),
    run,
    Setup(proxied=True, config=CONFIG),
)
