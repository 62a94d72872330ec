"""Passing: a gate that hands everything on to the real one; the naive gates change one word of it each."""

from __future__ import annotations

from contextlib import AbstractContextManager

from demo_app.gate import Attempt, Gate, Place


class PassingGate:
    """Hands on to ``inner``."""

    def __init__(self, inner: Gate) -> None:
        self.inner = inner

    def attempt(self, policy: str, *, id: str, secret: str) -> AbstractContextManager[Attempt]:
        """Enter an attempt."""
        return self.inner.attempt(policy, id=id, secret=secret)

    def count(self, policy: str, *, id: str) -> None:
        """Count an action."""
        self.inner.count(policy, id=id)

    def confirmation(self, *, id: str) -> AbstractContextManager[Place]:
        """Hold a place."""
        return self.inner.confirmation(id=id)
