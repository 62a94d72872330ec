"""Deliver: the protocol of whatever hands a message to a provider, and what its failures mean for the money."""

from __future__ import annotations

from typing import Protocol

from authguard.delivery.message import Message
from authguard.errors import AuthGuardError


class NotDelivered(AuthGuardError):
    """The message has certainly not gone out, and nothing is owed for it. ``code`` says what happened, in a word.

    Only where that is certain: a connection that broke after the message was handed over is any other exception.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Deliver(Protocol):
    """A way to a provider. Called by several threads at once, outside any request."""

    def deliver(self, message: Message) -> None:
        """Hand ``message`` over and return when the provider has taken it; bounded in time.

        Raises :class:`NotDelivered` when it has certainly not gone out. Whatever else is raised leaves open whether it
        has, and what may have been sent counts as spent (law 13).
        """
        ...
