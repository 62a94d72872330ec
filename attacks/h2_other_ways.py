"""H2: the same password check by other methods, other spellings of the path, and another route."""

from __future__ import annotations

from collections.abc import Callable

from attacks.attack import Attack, Criterion
from attacks.client import Answer, Client
from attacks.crowd import count_reached, passwords
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

TRIES_EACH = 8


def _send(method: str, path: str) -> Callable[[Client, str], Answer]:
    return lambda client, password: client.insist(method, path, {"identifier": ALICE.name, "password": password})


WAYS: tuple[Callable[[Client, str], Answer], ...] = (
    _send("PUT", "/login"),
    _send("POST", "/%6cogin"),
    _send("POST", "/login/"),
    lambda client, password: client.login_by_header("GET", ALICE.name, password),
    lambda client, password: client.login_by_header("HEAD", ALICE.name, password),
)


def run(target: Target) -> int:
    """Guess eight times by each way; the last guess is right."""
    attacker = target.client(MALLORY.address)
    guesses = passwords(len(WAYS) * TRIES_EACH, ALICE.password)
    return count_reached(WAYS[number % len(WAYS)](attacker, guess) for number, guess in enumerate(guesses))


OTHER_WAYS = Attack(
    "H2",
    "other ways to the same check",
    "verifier",
    Criterion("guesses at one account", wins=len(WAYS) * TRIES_EACH, loses=(1, 5)),
    run,
    Setup(proxied=True),
)
