"""Early place: the place of an account is taken by asking for it, which anybody can do in another's name."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from flask import Flask

from demo_app.gate import Defenses, Place
from demo_app.naive.passing import PassingGate
from demo_app.open_gate import OpenGate


class EarlyGate(PassingGate):
    """Takes the place at the start, and so has nothing left to take at the end."""

    def count(self, policy: str, *, id: str) -> None:
        """Count an action; where it is a sign-up, take its place for good."""
        self.inner.count(policy, id=id)
        if policy == "signup":
            with self.inner.confirmation(id=id) as place:
                place.keep()

    def confirmation(self, *, id: str) -> AbstractContextManager[Place]:
        """Hold what was taken."""
        return OpenGate().confirmation(id=id)


def take_place_early(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the place that is taken once the code came back."""
    return replace(defenses, gate=EarlyGate(defenses.gate))
