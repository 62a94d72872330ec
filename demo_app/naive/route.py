"""Route: guards what comes in by the login form's address and method; the check behind it has other ways in."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from flask import Flask, request

from authguard.guard import Offer
from demo_app.gate import Attempt, Defenses, Gate
from demo_app.naive.passing import PassingGate
from demo_app.open_gate import OpenGate


class RouteGate(PassingGate):
    """Asks the real guard for ``POST /login`` alone, as a rule at the edge does; this piece is about passwords."""

    def attempt(self, policy: str, *, id: str, secret: str) -> AbstractContextManager[Attempt]:
        """Enter an attempt, counted only if the request line is the expected one."""
        return self._gate().attempt(policy, id=id, secret=secret)

    def offer(self, policy: str, *, id: str) -> Offer | None:
        """Make an offer where attempts are counted."""
        return self._gate().offer(policy, id=id)

    def _gate(self) -> Gate:
        path = request.environ.get("RAW_URI", request.path).partition("?")[0]
        return self.inner if request.method == "POST" and path == "/login" else OpenGate()


def guard_one_route(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the guard at the verifier."""
    return replace(defenses, gate=RouteGate(defenses.gate))
