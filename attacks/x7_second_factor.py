"""X7: a known password again and again, to wipe out what guesses at the second factor have cost."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.client import Client, write_cookies
from attacks.crowd import count_reached
from attacks.people import FRIDA, MALLORY
from attacks.target import Setup, Target

ROUNDS = 20


def run(target: Target) -> int:
    """Log in by the password, guess a recovery code, and again."""
    attacker = target.client(MALLORY.address)
    cookies: dict[str, str] = {}
    reached = 0
    for number in range(ROUNDS):
        half = FRIDA.log_in(target, cookies, MALLORY.address)
        cookies = half.cookies if half.right else cookies
        reached += _guess(attacker, f"{number:024}", cookies)
    return reached


def _guess(attacker: Client, code: str, cookies: dict[str, str]) -> int:
    return count_reached([attacker.insist("POST", "/second-factor", {"code": code}, write_cookies(cookies))])


SECOND_FACTOR = Attack(
    "X7",
    "the password right, the second factor guessed",
    "own-failures",
    Criterion("guesses at the second factor", wins=ROUNDS, loses=(1, 5)),
    run,
    Setup(proxied=True),
)
