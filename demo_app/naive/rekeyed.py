"""Rekeyed: a guard that is handed another identifier than the one that was typed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager

from authguard.guard import Offer
from demo_app.gate import Attempt, Gate
from demo_app.naive.passing import PassingGate


class RekeyedGate(PassingGate):
    """Counts under whatever ``rekey`` makes of an identifier."""

    def __init__(self, inner: Gate, rekey: Callable[[str], str]) -> None:
        super().__init__(inner)
        self._rekey = rekey

    def attempt(self, policy: str, *, id: str, secret: str) -> AbstractContextManager[Attempt]:
        """Enter an attempt under the other identifier."""
        return self.inner.attempt(policy, id=self._rekey(id), secret=secret)

    def offer(self, policy: str, *, id: str) -> Offer | None:
        """Make an offer for the other identifier."""
        return self.inner.offer(policy, id=self._rekey(id))

    def count(self, policy: str, *, id: str) -> None:
        """Count under the other identifier."""
        self.inner.count(policy, id=self._rekey(id))


def digest(text: str) -> str:
    """Return ``text`` as an opaque identifier, the way people hide personal data from a counter."""
    return "key-" + hashlib.sha256(text.encode()).hexdigest()
