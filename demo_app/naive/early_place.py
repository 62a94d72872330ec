"""Early place: the place of an account is taken by asking for it, which anybody can do in another's name."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from flask import Flask

from demo_app.codes import Codes, Sent, codes_of, use_codes
from demo_app.gate import Defenses, Gate, Place
from demo_app.naive.passing import PassingCodes, PassingGate
from demo_app.open_gate import OpenGate


class EarlyCodes(PassingCodes):
    """Takes the place of an account for good before the code to confirm it is sent."""

    def __init__(self, inner: Codes, gate: Gate) -> None:
        super().__init__(inner)
        self._gate = gate

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> Sent:
        """Send a code, while there is a place."""
        if purpose == "signup":
            with self._gate.confirmation(id=to) as place:
                place.keep()
        return super().send(purpose, to, deliver=deliver, account=account, token=token)


class EarlyGate(PassingGate):
    """Has nothing left to take at the end."""

    def confirmation(self, *, id: str) -> AbstractContextManager[Place]:
        """Hold what was taken."""
        return OpenGate().confirmation(id=id)


def take_place_early(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the place that is taken once the code came back."""
    use_codes(app, EarlyCodes(codes_of(app), defenses.gate))
    return replace(defenses, gate=EarlyGate(defenses.gate))
