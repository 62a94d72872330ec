"""B1: one password over many accounts, one try on each and one from each address."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import address
from attacks.target import Setup, Target

ACCOUNTS = 130


def run(target: Target) -> int:
    """Try the password on one account after the other, and count how many are tried before a challenge."""
    for number in range(ACCOUNTS):
        if not target.client(address(number)).login(f"user{number}", "Summer2026!").reached:
            return number
    return ACCOUNTS


SPRAY = Attack(
    "B1",
    "one password over many accounts",
    "same-password",
    Criterion("accounts tried without a challenge", wins=ACCOUNTS, loses=(1, 100)),
    run,
    Setup(proxied=True, dropped=("alarm",)),
)
