"""X9: one's own right password again and again, to keep the hashing busy while others want to log in."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle

from attacks.attack import Attack, Criterion
from attacks.client import Broken, Client
from attacks.crowd import address
from attacks.people import ALICE, BOB, CAROL, DMITRI, ELENI, MALLORY, Person
from attacks.target import Setup, Target

ROUNDS = 14
OWN = 4
"""The attacker's logins in a round."""
OTHERS = 5
"""Other people's logins in a round, before those and beside them."""
LOGINS = ROUNDS * OWN
EACH, ADDRESS = 2, 20
"""What one client may try on an account, and one address on all of them: as few of so many logins as 30 of 1,000."""
SLOW = 2.0
MEASURED = 3
"""Times that others have to wait before that is the attack's doing, and not that of a busy machine."""
CONFIG = "".join(
    f'[policies.login.layers.{name}{lane}]\nlimit = "{amount}/15m"\n'
    for name, amount in (("attempts", EACH), ("attempts-an-address", ADDRESS))
    for lane in ("", "-known")
)


@dataclass(slots=True)
class Town:
    """Other people, who log in one after the other, from ever new addresses, in browsers that keep newest cookies."""

    target: Target
    jars: dict[Person, dict[str, str]] = field(default_factory=dict)
    came: int = 0

    def log_in(self, person: Person) -> float:
        """Return how many seconds a login takes, all tries together; raises ``Broken`` for one that is refused."""
        self.came += 1
        began = time.monotonic()
        answer = person.log_in(self.target, self.jars.get(person), address(self.came))
        took = time.monotonic() - began
        if not answer.right:
            raise Broken(f"{person.name} can’t log in")
        self.jars[person] = answer.cookies
        return took


def run(target: Target) -> int:
    """Log in all the time, and count how often; others who wait twice as long count as all of it."""
    town = Town(target)
    hashes, waits = _measure(town, target.client(MALLORY.address))
    for number in range(1, MEASURED):
        if not waits:
            break
        _, waits = _measure(town, target.client(f"203.0.114.{number}"))
    return max(hashes, LOGINS) if waits else hashes


def _measure(town: Town, place: Client) -> tuple[int, bool]:
    """Return how often the attacker's password was looked at, and whether others had to wait twice as long.

    Rounds with and without the attack take turns, so that whatever else the machine does is in both.
    """
    people = cycle((ALICE, BOB, CAROL, DMITRI, ELENI))
    hashes = 0
    cookies: dict[str, str] = {}
    quiet: list[float] = []
    beside: list[float] = []
    for _ in range(2 * OTHERS):  # until every worker has loaded what it needs
        town.log_in(next(people))
    with ThreadPoolExecutor(2) as pool:
        for turn in range(ROUNDS):
            quiet += [town.log_in(next(people)) for _ in range(OTHERS)]
            # Half of the time a stranger, half of the time in a browser that keeps its newest cookies.
            brings = cookies if turn % 2 else {}
            own = [pool.submit(partial(place.login, MALLORY.name, MALLORY.password, brings)) for _ in range(OWN)]
            beside += [town.log_in(next(people)) for _ in range(OTHERS)]
            right = [answer for each in own if (answer := each.result()).right]
            hashes += len(right)
            cookies = right[-1].cookies if right else cookies
    return hashes, _p95(beside) >= SLOW * _p95(quiet)


def _p95(waits: Sequence[float]) -> float:
    return sorted(waits)[len(waits) * 95 // 100]


OWN_HASHES = Attack(
    "X9",
    "own logins to burn hashes",
    "bounded-attempts",
    Criterion("hashes for one address, or people too late", wins=LOGINS, loses=(1, 2 * EACH)),
    run,
    Setup(proxied=True, threads=8, config=CONFIG, timed=True),
)
