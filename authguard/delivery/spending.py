"""Spending: what the sender asks of whoever keeps the money. A protocol, so that a ledger is a choice."""

from __future__ import annotations

from typing import Protocol

from authguard.errors import AuthGuardError


class Withheld(AuthGuardError):
    """A message may not be paid for. ``code`` says which rule said so, in a word, for the operator alone (law 8)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Reservation(Protocol):
    """Money put aside for one message (law 13)."""

    def dispatch(self) -> bool:
        """Write down that the provider is about to be called.

        ``False``, or :class:`Withheld`, when the reservation has expired or the key was used before.
        """
        ...

    def commit(self) -> object:
        """Say that the message went out, or may have."""
        ...

    def release(self) -> object:
        """Say that it has certainly not gone out."""
        ...


class Spending(Protocol):
    """Who keeps the money."""

    def is_spent(self, channel: str, known: bool) -> bool:
        """Return whether ``channel`` has nothing left for a known user or for strangers, whatever the destination."""
        ...

    def reserve(self, channel: str, to: str, key: str, *, device: bool) -> Reservation:
        """Put the price of one message aside, once for each ``key``; raises :class:`Withheld`.

        ``device``: it was asked for by a browser that the account knows.
        """
        ...

    def verified(self, channel: str, to: str, key: str) -> object:
        """Say that what was sent under ``key`` was welcome: its code or its link was used."""
        ...


class Free:
    """Spending where nothing costs anything: development, and mail servers of one's own."""

    def is_spent(self, channel: str, known: bool) -> bool:
        """Return that there is always something left."""
        return False

    def reserve(self, channel: str, to: str, key: str, *, device: bool) -> Reservation:
        """Put nothing aside."""
        return _NOTHING

    def verified(self, channel: str, to: str, key: str) -> None:
        """Take no note."""


class _Nothing:
    def dispatch(self) -> bool:
        return True

    def commit(self) -> None:
        """Pay nothing."""

    def release(self) -> None:
        """Take nothing back."""


_NOTHING = _Nothing()
