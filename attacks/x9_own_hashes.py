"""X9: one's own right password again and again, to keep the hashing busy."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.people import MALLORY
from attacks.target import Setup, Target

LOGINS = 30
EACH, ADDRESS = 8, 12
CONFIG = "".join(
    f'[policies.login.layers.{name}]\nlimit = "{amount}/15m"\n'
    for name, amount in (
        ("attempts", EACH),
        ("attempts-known", EACH),
        ("attempts-an-address", ADDRESS),
        ("attempts-an-address-known", ADDRESS),
    )
)


def run(target: Target) -> int:
    """Log in thirty times as a stranger, and thirty times in a browser that keeps its newest cookies."""
    place = target.client(MALLORY.address)
    hashes = sum(place.login(MALLORY.name, MALLORY.password).right for _ in range(LOGINS))
    cookies: dict[str, str] = {}
    for number in range(LOGINS):
        answer = (target.client("203.0.113.67") if number == 0 else place).login(
            MALLORY.name, MALLORY.password, cookies
        )
        hashes += answer.right
        cookies = answer.cookies if answer.right else cookies
    return hashes


OWN_HASHES = Attack(
    "X9",
    "own logins to burn hashes",
    "bounded-attempts",
    Criterion("hashes for one address", wins=2 * LOGINS, loses=(1, EACH + ADDRESS + 1)),
    run,
    Setup(proxied=True, config=CONFIG),
)
