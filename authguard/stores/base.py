"""The protocol that every store keeps. The contract suite in ``authguard.testing`` says it in tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from authguard.limits import Decision, Outcome, Plan, Receipt

DEADLINE = 50_000
"""Microseconds that a store call may take, unless configured otherwise (law 9)."""


class Unasked(Decision):
    """A decision that a store made out of what it was told before: it says nothing about how the store is now."""

    __slots__ = ()


class Store(Protocol):
    """A place for counters.

    Every call returns within the store's deadline or raises ``StoreTimeout``; any other fault raises
    ``StoreUnavailable``, and a store at the bound of its memory ``StoreFull``. All times are the store's own.
    """

    def decide(self, plan: Plan) -> Decision:
        """Decide ``plan`` atomically: charge every enforcing counter, or none and write nothing.

        A plan whose nonce was admitted before gets the same decision again and charges nothing.
        """
        ...

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """Settle an admitted attempt; ``True`` when this call did it.

        Once: a repeated, late (after the plan's ``hold``) or contradicting call changes nothing.
        """
        ...

    def peek(self, plan: Plan) -> Decision:
        """Return what :meth:`decide` would say now; charges and writes nothing."""
        ...

    def forget(self, keys: Sequence[bytes]) -> int:
        """Drop the counters under ``keys`` (an operator's unblock); return how many there were."""
        ...

    def now(self) -> int:
        """Return the store's time, in microseconds since the Unix epoch."""
        ...

    def close(self) -> None:
        """Let go of files and connections; a closed store may not be used again."""
        ...
