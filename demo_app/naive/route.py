"""Route: guards what comes in by the login form's address and method; the check behind it has other ways in."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from flask import Flask, request

from demo_app.gate import Attempt, Defenses, Gate
from demo_app.open_gate import OpenGate


class RouteGate:
    """Asks the real guard for ``POST /login`` alone, as a rule at the edge does."""

    def __init__(self, inner: Gate) -> None:
        self._inner = inner
        self._open = OpenGate()

    def attempt(self, policy: str, *, id: str, secret: str) -> AbstractContextManager[Attempt]:
        """Enter an attempt, counted only if the request line is the expected one."""
        path = request.environ.get("RAW_URI", request.path).partition("?")[0]
        covered = request.method == "POST" and path == "/login"
        return (self._inner if covered else self._open).attempt(policy, id=id, secret=secret)

    def count(self, policy: str, *, id: str) -> None:
        """Count as ever: this piece is about the check of passwords."""
        self._inner.count(policy, id=id)


def guard_one_route(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the guard at the verifier."""
    return replace(defenses, gate=RouteGate(defenses.gate))
