"""Reservation: units put aside for one use, spent before whoever is paid for it is called (law 13)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import TracebackType
from typing import Self

from authguard.errors import StoreError
from authguard.limits import Outcome
from authguard.spend.denial import Reason, SpendDenied


class _Stage(Enum):
    RESERVED = 0
    DISPATCHED = 1
    DONE = 2


class Reservation:
    """Units put aside. Leaving the ``with`` block undispatched gives them back; dispatched, they are spent for good.

    So an exception, a time-out or a killed process after the dispatch costs the units: the message may be out. Only
    :meth:`release` gives those back. ``key`` is the idempotency key. One reservation belongs to one thread.
    """

    __slots__ = ("_settle", "_stage", "cost", "key")

    def __init__(self, key: str, cost: int, settle: Callable[[Outcome], bool]) -> None:
        self.key = key
        self.cost = cost
        self._settle = settle
        self._stage = _Stage.RESERVED

    def dispatch(self) -> bool:
        """Write down that the units are spent, and return ``True``; then call the provider, and not before.

        Of all who hold this key one gets this far. Raises ``SpendDenied`` for the others, and when the reservation has
        expired; ``StoreError`` when the store can't say: don't send then.
        """
        if self._stage is not _Stage.RESERVED:
            raise SpendDenied(Reason.LOST)
        if not self._settle(Outcome.DISPATCH):
            self._stage = _Stage.DONE
            raise SpendDenied(Reason.LOST)
        self._stage = _Stage.DISPATCHED
        return True

    def commit(self) -> bool:
        """Say that it was used, or may have been; return whether that was news. Saying nothing comes to the same."""
        return self._finish(Outcome.COMMIT) if self._stage is _Stage.DISPATCHED else False

    def release(self) -> bool:
        """Give the units back, because they certainly were not used; return whether that was still possible."""
        if self._stage is _Stage.DONE:
            return False
        return self._finish(Outcome.RELEASE if self._stage is _Stage.DISPATCHED else Outcome.CANCEL)

    def _finish(self, outcome: Outcome) -> bool:
        self._stage = _Stage.DONE
        try:
            return self._settle(outcome)
        except StoreError:
            # What was dispatched stays spent, what was not expires.
            return False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stage is _Stage.DISPATCHED:
            self.commit()
        else:
            self.release()
