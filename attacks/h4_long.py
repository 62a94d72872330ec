"""H4: passwords and bodies as long as they please, to be read and hashed."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

LENGTHS = (2_000, 1_000_000, 50_000_000)
"""Characters of a password; the shortest one fits into any body."""


def run(target: Target) -> int:
    """Send one password of each length, and count those that were looked at rather than refused for their length."""
    attacker = target.client(MALLORY.address)
    looked_at = 0
    for length in LENGTHS:
        try:
            answer = attacker.login(ALICE.name, "x" * length)
        except Broken:  # The server hung up in the middle of a body whose length it has read in the header.
            continue
        if answer.status not in (400, 401, 413):
            raise Broken(f"a long password was answered {answer.status}")
        looked_at += answer.reached
    if not ALICE.gets_in(target):
        raise Broken("the demo is down")
    return looked_at


LONG = Attack(
    "H4",
    "passwords of megabytes",
    "lengths",
    Criterion("passwords beyond all lengths hashed", wins=len(LENGTHS), loses=(0, 0)),
    run,
    Setup(proxied=True),
)
