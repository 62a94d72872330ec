"""Passing: a gate and codes that hand everything on to the real ones; the naive ones change one word of it each."""

from __future__ import annotations

from contextlib import AbstractContextManager

from authguard.guard import Offer
from demo_app.codes import Codes, Reader, Sent
from demo_app.gate import Attempt, Gate, Place


class PassingGate:
    """Hands on to ``inner``."""

    def __init__(self, inner: Gate) -> None:
        self.inner = inner

    def attempt(self, policy: str, *, id: str, secret: str) -> AbstractContextManager[Attempt]:
        """Enter an attempt."""
        return self.inner.attempt(policy, id=id, secret=secret)

    def offer(self, policy: str, *, id: str) -> Offer | None:
        """Make an offer."""
        return self.inner.offer(policy, id=id)

    def count(self, policy: str, *, id: str) -> None:
        """Count an action."""
        self.inner.count(policy, id=id)

    def confirmation(self, *, id: str) -> AbstractContextManager[Place]:
        """Hold a place."""
        return self.inner.confirmation(id=id)


class PassingCodes:
    """Hands on to ``inner``."""

    def __init__(self, inner: Codes) -> None:
        self.inner = inner

    @property
    def digits(self) -> int:
        """How long codes are."""
        return self.inner.digits

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> Sent:
        """Send a code."""
        return self.inner.send(purpose, to, deliver=deliver, account=account, token=token)

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right."""
        return self.inner.verify(purpose, token, code, to=to, deliver=deliver, account=account)

    def read_link(self, token: str) -> Reader | None:
        """Return whom a link speaks for."""
        return self.inner.read_link(token)

    def follow_link(self, purpose: str, token: str, *, deliver: str | None) -> Reader | None:
        """Use a link up."""
        return self.inner.follow_link(purpose, token, deliver=deliver)

    def forget_devices(self, account: str) -> None:
        """Revoke the account's known devices."""
        self.inner.forget_devices(account)
