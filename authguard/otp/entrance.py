"""Entrance: where one request is counted; what knows devices and challenges stands behind it, and codes don't."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from authguard.guard import Attempt, Guard
from authguard.limits import Counter
from authguard.policy import Subject

Also = Callable[[Subject], tuple[Counter, ...]]
"""What is counted besides a policy's layers, for the subject as it turns out to be."""


class Entrance(Protocol):
    """One request's way to its decisions."""

    @property
    def subject(self) -> Subject:
        """Who asks, as known as the request makes it look."""
        ...

    def leads_to(self, account: str) -> bool:
        """Return whether what was typed names ``account``; true where nobody can tell."""
        ...

    def count(self, policy: str, also: Also) -> Attempt:
        """Charge an action that proves nothing; whether the device was good is told by ``known`` of the attempt."""
        ...

    def attempt(self, policy: str, secret: str, also: Also) -> Attempt:
        """Charge an attempt on a verifier."""
        ...


@dataclass(frozen=True, slots=True)
class Direct:
    """An entrance straight to the guard, for whoever vouches for the subject."""

    guard: Guard
    subject: Subject

    def leads_to(self, account: str) -> bool:
        """See :class:`Entrance`."""
        return True

    def count(self, policy: str, also: Also) -> Attempt:
        """See :class:`Entrance`."""
        return self.guard.count(policy, self.subject, also(self.subject))

    def attempt(self, policy: str, secret: str, also: Also) -> Attempt:
        """See :class:`Entrance`."""
        return self.guard.attempt(policy, self.subject, secret, also(self.subject))


def settle_on(subject: Subject, attempt: Attempt) -> Subject:
    """Return ``subject`` as the decision has found it: a device that was revoked, or has grown old, is a stranger's."""
    return subject if attempt.known else replace(subject, known=False)
