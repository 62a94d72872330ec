"""Trusted cookie: whoever brings a device cookie is not counted, on whatever account and however often."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace

from flask import Flask, request

from authguard.guard import Offer
from demo_app.gate import Attempt, Defenses, Gate
from demo_app.naive.passing import PassingGate
from demo_app.open_gate import OpenGate

PREFIX = "__Host-authguard-"


class CookieGate(PassingGate):
    """Looks for the cookie, and not into it."""

    def attempt(self, policy: str, *, id: str, secret: str) -> AbstractContextManager[Attempt]:
        """Enter an attempt, counted where there is no such cookie."""
        return self._gate().attempt(policy, id=id, secret=secret)

    def offer(self, policy: str, *, id: str) -> Offer | None:
        """Make an offer where attempts are counted."""
        return self._gate().offer(policy, id=id)

    def _gate(self) -> Gate:
        return OpenGate() if any(name.startswith(PREFIX) for name in request.cookies) else self.inner


def trust_any_cookie(app: Flask, defenses: Defenses) -> Defenses:
    """Replace what a device cookie proves, and the limit of what it is good for."""
    return replace(defenses, gate=CookieGate(defenses.gate))
