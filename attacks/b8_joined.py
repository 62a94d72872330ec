"""B8: one wrong password over many accounts, in the hope that repeating it is counted once."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.crowd import count_reached
from attacks.people import MALLORY
from attacks.target import SPRAY_LAYERS, Setup, Target

ACCOUNTS = 50


def run(target: Target) -> int:
    """Try one password on fifty accounts from one address, and count how many are tried."""
    attacker = target.client(MALLORY.address)
    return count_reached(attacker.login(f"user{number}", "Winter2026!") for number in range(ACCOUNTS))


JOINED = Attack(
    "B8",
    "one wrong password, counted once",
    "account-joining",
    Criterion("accounts tried from one address", wins=ACCOUNTS, loses=(1, 20)),
    run,
    Setup(proxied=True, dropped=SPRAY_LAYERS),
)
