"""Hashers: what a password scheme must be able to do."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

from authguard.errors import AuthGuardError
from authguard.login.text import Normalization

MOST_MEMORY = 2 * 1024**3
"""Bytes. A stored hash that asks for more than RFC 9106's largest recommendation is not obeyed."""


class HasherFailed(AuthGuardError):
    """A hasher could not do its work: a stored hash that only looked sound, parameters it refuses, no memory."""


class Fit(IntEnum):
    """How well a stored hash suits a hasher."""

    FOREIGN = 0
    """Not of this scheme, malformed, truncated, or with parameters nobody would choose."""

    OTHER_PARAMETERS = 1
    """Can be checked, at a cost unlike that of a new hash."""

    CURRENT = 2
    """Made as this hasher makes them now."""


class Hasher(Protocol):
    """One password scheme with one set of parameters."""

    @property
    def memory(self) -> int:
        """Bytes that one hash takes while it runs."""
        ...

    @property
    def normalization(self) -> Normalization:
        """The form in which this hasher's table holds passwords."""
        ...

    def hash(self, password: str) -> str:
        """Return a new salted hash of ``password``, in the scheme's usual text form.

        Raises ``PasswordError("too_long")`` where the scheme can't take the whole password, and
        :class:`HasherFailed`.
        """
        ...

    def verify(self, stored: str, password: str) -> bool:
        """Return whether ``password`` is the one behind ``stored``, which fits; takes a whole hash's work either way.

        Raises :class:`HasherFailed` when the work could not be done, and nothing else.
        """
        ...

    def fit(self, stored: str) -> Fit:
        """Return how ``stored`` suits this hasher, from its text alone."""
        ...
