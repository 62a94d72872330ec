"""Dummy: unknown accounts get the hash of a fixed password to keep the time equal, and that password fits it."""

from __future__ import annotations

from dataclasses import replace

from flask import Flask

from authguard.login.argon2_hasher import Argon2Hasher
from demo_app.gate import Defenses, Passwords

DUMMY_PASSWORD = "dummy-password-for-timing"


class KnownDummy:
    """Checks unknown accounts against a dummy and returns what the comparison says."""

    def __init__(self, inner: Passwords) -> None:
        self._inner = inner
        self._dummy = Argon2Hasher().hash(DUMMY_PASSWORD)

    def hash(self, password: str) -> str:
        """Return a new hash."""
        return self._inner.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Return whether ``password`` made ``stored``, or the dummy."""
        return self._inner.verify(stored or self._dummy, password)


def use_known_dummy(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the dummy that nobody knows the password of."""
    return replace(defenses, passwords=KnownDummy(defenses.passwords))
