"""Sender: messages leave in the background, so that no answer waits for a provider or tells whether it was called."""

from __future__ import annotations

import atexit
import os
import weakref
from collections.abc import Mapping
from time import monotonic

from authguard.delivery.dispatch import Dispatch, Route
from authguard.delivery.line import Line, Place
from authguard.delivery.message import Channel
from authguard.delivery.spending import Free, Spending
from authguard.events import Observer

DRAIN = 10.0
"""Seconds that a process which ends gives its messages to leave."""


class Sender:
    """Bounded queues with threads of their own, one for each channel, so that none waits for another's provider.

    ``routes`` say how each channel delivers. At most ``capacity`` messages of each wait or are on their way, for
    ``threads`` threads; strangers leave ``known_share`` of the places to known users (law 6), who leave as many to
    them and don't stand behind them either. What can't be sent is an event, never silence.
    """

    def __init__(
        self,
        routes: Mapping[Channel, Route],
        observer: Observer,
        spending: Spending | None = None,
        *,
        capacity: int = 1000,
        known_share: float = 0.2,
        threads: int = 2,
    ) -> None:
        self._dispatch = Dispatch(routes, spending or Free())
        self._channels = tuple(routes)
        self._observer = observer
        self._capacity = capacity
        self._share = max(1, capacity - max(1, round(capacity * known_share)))
        self._count = threads
        self._reset()
        itself = weakref.ref(self)
        atexit.register(_drain, itself)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: _forget(itself))

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels that have a route."""
        return self._channels

    def reserve(self, channel: Channel, known: bool = False) -> Place:
        """Take a place in the channel's queue, to be filled or left.

        Raises ``Overloaded`` where there is none, and where ``channel`` is spent or has no route: before the account
        is looked at, and to everyone alike (law 8).
        """
        self._dispatch.refuse_spent(channel, known)
        return self._lines[channel].reserve(known)

    def close(self, seconds: float = DRAIN) -> int:
        """Take no more messages and let those that wait leave; return how many were lost, each also an event.

        One that a provider has been given, and that is not through when ``seconds`` are over, is not lost but
        ``uncertain``; that is an event too. Ends at once where all of that has been done before.
        """
        until = monotonic() + seconds
        lines = [line for line in self._lines.values() if not line.given_up]
        for line in lines:
            line.close()
        try:
            for line in lines:
                line.empty_by(until)
        finally:  # also where a signal's handler ends the wait: what is not through by now is told all the same
            lost = sum(line.give_up() for line in lines)
            lost += sum(line.join(until) for line in lines)
        return lost

    def drain(self, seconds: float = DRAIN) -> bool:
        """Wait until nothing waits or is on its way; ``False`` when that took longer than ``seconds``."""
        until = monotonic() + seconds
        return all(line.empty_by(until) for line in self._lines.values())

    def _reset(self) -> None:
        """Begin with empty queues and no threads: at first, and in a forked child, whose parent keeps its own."""
        self._lines = {
            channel: Line(self._dispatch.run, self._observer, self._capacity, self._share, self._count)
            for channel in self._channels
        }


def _drain(sender: weakref.ref[Sender]) -> None:
    """Let the messages of a process that ends leave."""
    if (alive := sender()) is not None:
        alive.close()


def _forget(sender: weakref.ref[Sender]) -> None:
    """Leave the parent's messages to the parent."""
    if (alive := sender()) is not None:
        alive._reset()
