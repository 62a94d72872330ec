"""Resealed: no secret is ever given up, and what an earlier one has sealed is sealed anew under the current one."""

from __future__ import annotations

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import LIFETIME, HandCodes, HandSent


class ResealedCodes(HandCodes):
    """Has the token say how old it is: the row behind it may stay."""

    lifetime = 86_400

    def __init__(self, current: Fernet, *earlier: Fernet) -> None:
        self._current = current
        self._all = MultiFernet((current, *earlier))

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> HandSent:
        """Send a code."""
        sent = super().send(purpose, to, deliver=deliver, account=account)
        return HandSent(self._current.encrypt(sent.token.encode()).decode())

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right."""
        try:
            plain = self._all.decrypt(token)
            self._current.decrypt(self._renew(token, plain), ttl=LIFETIME)
        except InvalidToken:
            return False
        return super().verify(purpose, plain.decode(), code, to=to, deliver=deliver, account=account)

    def _renew(self, token: str, plain: bytes) -> bytes:
        """Return ``token`` under the current secret: as old as this moment."""
        try:
            self._current.decrypt(token)
        except InvalidToken:
            return self._current.encrypt(plain)
        return token.encode()


def seal_anew(app: Flask, defenses: Defenses) -> Defenses:
    """Replace seals that keep their age, under secrets that retire."""
    config = app.config
    texts = (config["SECRET_KEY"], *config["SECRET_KEY_FALLBACKS"], *config["DEMO_RETIRED_SECRETS"])
    keys = [Fernet(base64.urlsafe_b64encode(hashlib.sha256(text).digest())) for text in texts]
    use_codes(app, ResealedCodes(*keys))
    return defenses
