"""Ladders: how far apart messages must be, for the client that asks for them and for whoever gets them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from authguard.errors import IdentityError
from authguard.limits import Counter, Mode
from authguard.policy import Planner, Policy, Scope, Subject

MESSAGE = "message"
"""The policy that holds them."""


class Ladders:
    """The ``message`` policy in its two halves.

    Layers on a destination count what it gets, whoever asks and in whichever flow; nobody is told about them (law 8).
    The others count what this client asks for, and are what it is told.
    """

    def __init__(self, planner: Planner, policy: Policy) -> None:
        self._planner = planner
        self._of_client = _half(policy, "client", hidden=False)
        self._of_destination = _half(policy, "destination", hidden=True)

    def of_client(self, subject: Subject) -> tuple[Counter, ...]:
        """Return the counters of what this client asks for; raises ``IdentityError`` for a subject it lacks."""
        return self._planner.plan(self._of_client, subject).counters if self._of_client else ()

    def of_destination(self, subject: Subject, destination: str) -> tuple[Counter, ...]:
        """Return the counters of what ``destination`` gets; ``destination`` is a counting key."""
        if self._of_destination is None:
            return ()
        values = {**subject.values, Scope.DESTINATION: destination}
        return self._planner.plan(self._of_destination, replace(subject, values=values)).counters

    def of_foreign(self, subject: Subject, destination: str) -> tuple[Counter, ...]:
        """Return the counters of what ``destination`` gets on behalf of an account that is not its reader's.

        Such a message lets its reader in nowhere. So it waits for the destination's own ladder and climbs another one:
        else whoever asks for it would keep the messages away that do (law 6).
        """
        own = self.of_destination(subject, destination)
        gates = tuple(replace(each, charges=False) for each in own if each.mode is Mode.ENFORCE)
        return (*self.of_destination(subject, _foreign(destination)), *gates)

    def keys(self, subject: Subject, destination: str) -> list[bytes]:
        """Return the keys of everything that this subject resets by what it got at ``destination``."""
        lanes = [replace(subject, known=False)]
        if subject.known:
            lanes.append(subject)
        counters: list[Counter] = []
        for lane in lanes:
            with suppress(IdentityError):
                counters += self.of_destination(lane, destination)
                counters += self.of_destination(lane, _foreign(destination))
            with suppress(IdentityError):  # who comes by a link has typed nothing, and may not be countable
                counters += self.of_client(lane)
        return list({key: None for counter in counters for key in (counter.key, *counter.previous)})


def _foreign(destination: str) -> str:
    return f"foreign {destination}"


def _half(policy: Policy, name: str, hidden: bool) -> Policy | None:
    layers = tuple(layer for layer in policy.layers if (Scope.DESTINATION in layer.scopes) is hidden)
    return replace(policy, name=f"{policy.name}-{name}", layers=layers) if layers else None
