"""Job: a message to be, or none; from outside the two look the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from authguard.delivery.message import Channel, Message


@dataclass(frozen=True, slots=True)
class Job:
    """What is queued for every request that asks for a message, whether or not there is anybody to get one.

    ``compose`` runs in the background. It returns the message, or ``None`` where none may go out; whoever made the job
    tells the operator why. ``to`` is where it would go, ``None`` for nowhere. ``key`` is that of the message.
    """

    channel: Channel
    purpose: str
    known: bool
    compose: Callable[[], Message | None] = field(repr=False)
    to: str | None = field(default=None, repr=False)
    key: str = field(default="", repr=False)
