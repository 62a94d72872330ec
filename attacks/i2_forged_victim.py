"""I2: the victim's address at the left end of X-Forwarded-For, to use the victim's budget up."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.people import BOB, MALLORY
from attacks.target import Setup, Target

TRIES = 25


def run(target: Target) -> int:
    """Fail on many accounts in the victim's name, and count whether the victim can't get in."""
    attacker = target.client(MALLORY.address, forged=BOB.address)
    for number in range(TRIES):
        attacker.login(f"user{number}", "password1")
    return int(not BOB.gets_in(target))


FORGED_VICTIM = Attack(
    "I2",
    "X-Forwarded-For forged as a victim’s",
    "proxy-chain",
    Criterion("people locked out", wins=1, loses=(0, 0)),
    run,
    Setup(proxied=True),
)
