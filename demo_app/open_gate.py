"""Open gate: counts nothing and lets everything through, for whom the demo exempts and where every defense is off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class OpenAttempt:
    """An attempt that nobody counts."""

    def succeed(self) -> None:
        """Do nothing."""

    def partial(self) -> None:
        """Do nothing."""


class OpenPlace:
    """A place that nobody else could take."""

    def keep(self) -> None:
        """Do nothing."""


class OpenGate:
    """Lets everything through."""

    @contextmanager
    def attempt(self, policy: str, *, id: str, secret: str) -> Iterator[OpenAttempt]:
        """Let it through."""
        yield OpenAttempt()

    def offer(self, policy: str, *, id: str) -> None:
        """Have none to make."""

    def count(self, policy: str, *, id: str) -> None:
        """Count nothing."""

    @contextmanager
    def confirmation(self, *, id: str) -> Iterator[OpenPlace]:
        """Hold nothing."""
        yield OpenPlace()
