"""I4: an X-Forwarded-For that is missing, spelled with underscores, left with a quote open, or sent twice."""

from __future__ import annotations

from functools import partial

from attacks.attack import Attack, Criterion
from attacks.client import Answer
from attacks.crowd import address, count_reached, in_turn
from attacks.people import MALLORY
from attacks.target import Setup, Target

TRIES = 60
"""A multiple of the limit. Without the defense there is no end to them, and each is hashed."""


def _guess(target: Target, number: int) -> Answer:
    fields = {"identifier": f"user{number}", "password": f"guess {number}"}
    headers: dict[str, str] = {}
    forged: str | None = None
    if number % 4 == 1:
        headers = {"X_Forwarded_For": address(number)}
    elif number % 4 == 2:
        forged = f'"{address(number)}'
    elif number % 4 == 3:  # the proxy's line comes last, as where a proxy adds a line instead of appending to one
        headers = {"x-forwarded-for": f'"{address(number)}', "X-Forwarded-For": MALLORY.address}
    client = target.client(MALLORY.address, forged=forged) if forged else target.client()
    return client.insist("POST", "/login", fields, headers)


def run(target: Target) -> int:
    """Try many accounts from one place, with each kind of header in turn.

    Without a header the peer is counted: nobody but the proxy itself, or whoever goes around it, comes like that.
    """
    return count_reached(in_turn([partial(_guess, target, number) for number in range(TRIES)], threads=2))


BROKEN_HEADER = Attack(
    "I4",
    "X-Forwarded-For missing or broken",
    "strict-header",
    Criterion("accounts tried from one address", wins=50, loses=(1, 20)),
    run,
    Setup(proxied=True, dropped=("alarm", "same-secret")),
)
