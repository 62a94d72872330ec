"""F2: a failover to a replica that lacks the last writes and takes none yet."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.crowd import count_reached
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

LIMIT = 5
LATER = 30
NOBODY = "1"
"""A port without a master, from whom the replica would get what it lacks."""


def run(target: Target) -> int:
    """Use the budget up, have the replica take the master's address over, and guess on."""
    attacker = target.client(MALLORY.address)
    reached = count_reached(attacker.login(ALICE.contact, f"guess {number}") for number in range(LIMIT))
    if reached < LIMIT:
        raise Broken("the budget was not used up")
    target.server.kill()
    target.server.start("--replicaof", "127.0.0.1", NOBODY)
    return reached + count_reached(attacker.login(ALICE.contact, f"later guess {number}") for number in range(LATER))


FAILOVER = Attack(
    "F2",
    "a failover that loses writes",
    "refused-writes",
    Criterion("guesses at one account", wins=LATER, loses=(1, 2 * LIMIT)),
    run,
    # One worker: another might start only now, and refuse to count on a replica.
    Setup(workers=1, proxied=True, fail_mode="local", redis=(), timed=True),
)
