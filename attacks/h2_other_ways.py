"""H2: the same password check by other methods, other spellings of the path, other routes, and a stolen session."""

from __future__ import annotations

from collections.abc import Callable

from attacks.attack import Attack, Criterion
from attacks.client import Answer, Client, write_cookies
from attacks.crowd import count_reached, passwords
from attacks.numbers import CHANGE
from attacks.people import ALICE, MALLORY
from attacks.target import Setup, Target

TRIES_EACH = 8


def _send(method: str, path: str) -> Callable[[Client, str], Answer]:
    return lambda client, password: client.insist(method, path, {"identifier": ALICE.name, "password": password})


def _change_contact(session: dict[str, str]) -> Callable[[Client, str], Answer]:
    """Return the way by which the owner of ``session`` proves to be it, to move the account's messages."""
    return lambda client, password: client.insist(
        "POST", CHANGE, {"contact": MALLORY.contact, "password": password}, write_cookies(session)
    )


WAYS: tuple[Callable[[Client, str], Answer], ...] = (
    _send("PUT", "/login"),
    _send("POST", "/%6cogin"),
    _send("POST", "/login/"),
    lambda client, password: client.login_by_header("GET", ALICE.name, password),
    lambda client, password: client.login_by_header("HEAD", ALICE.name, password),
)
GUESSES = (len(WAYS) + 1) * TRIES_EACH


def run(target: Target) -> int:
    """Guess eight times by each way; the last guess is right."""
    attacker = target.client(MALLORY.address)
    ways = (*WAYS, _change_contact({"session": ALICE.browser(target)["session"]}))
    guesses = passwords(GUESSES, ALICE.password)
    return count_reached(ways[number % len(ways)](attacker, guess) for number, guess in enumerate(guesses))


OTHER_WAYS = Attack(
    "H2",
    "other ways to the same check",
    "verifier",
    Criterion("guesses at one account", wins=GUESSES, loses=(1, 5)),
    run,
    Setup(proxied=True),
)
