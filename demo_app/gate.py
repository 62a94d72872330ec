"""Gate: what the demo asks of whatever guards it, be it authguard or the naive code in its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from flask import Flask

from authguard.guard import Offer


class Attempt(Protocol):
    """A guess that was let through and whose outcome is not yet known."""

    def succeed(self) -> None:
        """Say that the secret was right."""
        ...

    def partial(self) -> None:
        """Say that the secret was right, and another factor is still to come."""
        ...


class Place(Protocol):
    """The place of an account that is being made."""

    def keep(self) -> None:
        """Say that the account is there."""
        ...


class Gate(Protocol):
    """Lets attempts through, or raises an ``HTTPException`` that answers the request."""

    def attempt(self, policy: str, *, id: str, secret: str) -> AbstractContextManager[Attempt]:
        """Enter an attempt under ``policy``; leaving it without success is a failure."""
        ...

    def offer(self, policy: str, *, id: str) -> Offer | None:
        """Return a challenge for whoever is told that the secret is wrong, right or not; a naive one has none."""
        ...

    def count(self, policy: str, *, id: str) -> None:
        """Count an action that proves nothing."""
        ...

    def confirmation(self, *, id: str) -> AbstractContextManager[Place]:
        """Hold the place of a new account of the contact ``id``, given back unless it is kept."""
        ...


class Passwords(Protocol):
    """Hashes passwords and checks them."""

    def hash(self, password: str) -> str:
        """Return the hash to store."""
        ...

    def verify(self, stored: str | None, password: str) -> bool:
        """Return whether ``password`` made ``stored``; never true for ``None``."""
        ...


class Factors(Protocol):
    """Checks second factors."""

    def check_recovery(self, account: str, hashes: Sequence[str], code: str, strike: Callable[[str], bool]) -> bool:
        """Return whether ``code`` is one of those whose ``hashes`` are stored; ``strike`` uses a right one up."""
        ...


@dataclass(frozen=True, slots=True)
class Defenses:
    """What stands between a request and the accounts.

    ``exempt`` says whether the one at hand is not counted; ``mailbox`` returns what all spellings of a contact, which
    has one account, have in common.
    """

    gate: Gate
    passwords: Passwords
    factors: Factors
    exempt: Callable[[], bool]
    mailbox: Callable[[str], str]


Removal = Callable[[Flask, Defenses], Defenses]
"""Takes one defense away: returns the defenses with a naive piece in its place."""
