"""Nothing: a password check that returns early where there is no account."""

from __future__ import annotations

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

OWASP_MINIMUM = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


class PlainPasswords:
    """Argon2 with nothing around it."""

    def hash(self, password: str) -> str:
        """Return a new hash."""
        return OWASP_MINIMUM.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Return whether ``password`` made ``stored``; quickly where there is no account, which tells so."""
        try:
            return stored is not None and OWASP_MINIMUM.verify(stored, password)
        except VerificationError:
            return False
