"""Pacing: messages leave at the rate that the provider takes, whichever process sends them; they wait, none is lost."""

from __future__ import annotations

import hashlib
import os
import weakref
from threading import Event, Lock

from authguard.clock import SECOND
from authguard.errors import ConfigurationError, StoreError
from authguard.limits import Algorithm, Counter, Limit, Plan
from authguard.limits.plan import KEY_SIZE
from authguard.stores import Store


class Pace:
    """One provider's rate as a leaky queue of all processes on ``store``: one message each ``period / amount``.

    ``name`` tells queues on one store apart. A store that can't be asked is taken as full: an outage makes messages
    wait, and neither loses them nor lets them burst. Raises ``ConfigurationError`` for a ``rate`` that can't be read.
    """

    def __init__(self, store: Store, name: str, rate: str) -> None:
        try:
            limit = Limit.parse(rate, Algorithm.LEAKY_BUCKET, burst=1)
        except ValueError as error:
            raise ConfigurationError(f"the pace of {name!r} is wrong: {error}") from None
        key = hashlib.sha256(f"authguard pace {name}".encode()).digest()[:KEY_SIZE]
        self._counters = (Counter("pace", key, limit),)
        self._store = store
        self._gap = limit.period / limit.amount / SECOND
        self._stand_anew()
        itself = weakref.ref(self)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: _stand_anew(itself))

    def queue(self, given_up: Event) -> bool:
        """Wait for this message's turn; ``False`` when ``given_up`` is set before it comes."""
        # The threads of this process stand in line here; only the first of them asks for the next turn.
        with self._front:
            while (delay := self._ask()) > 0:
                if given_up.wait(delay):
                    return False
        return True

    def _ask(self) -> float:
        """Take the turn if it is there, else return after how many seconds it will be."""
        try:
            decision = self._store.decide(Plan(self._counters))
        except StoreError:
            return self._gap
        return (decision.retry_after or 0) / SECOND

    def _stand_anew(self) -> None:
        """Begin with nobody in line: at first, and in a forked child, where those who stood there are missing."""
        self._front = Lock()


def _stand_anew(pace: weakref.ref[Pace]) -> None:
    if (alive := pace()) is not None:
        alive._stand_anew()
