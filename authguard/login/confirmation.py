"""Confirmation: the place of an account that is being made, out of those that its mailbox and domain may have."""

from __future__ import annotations

from authguard.guard import Attempt


class Confirmation:
    """Holds a place that an attempt under a sign-up policy has charged, until the account is there or is not."""

    def __init__(self, attempt: Attempt) -> None:
        self._attempt = attempt

    def keep(self) -> None:
        """Say that the account was made: its place stays taken."""
        self._attempt.fail()

    def give_back(self) -> None:
        """Say that no account was made; changes nothing once it was."""
        self._attempt.partial()
