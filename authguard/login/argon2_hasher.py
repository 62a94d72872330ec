"""Argon2: the default password scheme, with parameters that have names and reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass

from authguard.errors import ConfigurationError
from authguard.login.hashers import MOST_MEMORY, Fit, HasherFailed
from authguard.login.text import Normalization


@dataclass(frozen=True, slots=True)
class Argon2Profile:
    """Parameters of Argon2id (RFC 9106 section 3.1): memory in KiB, passes, lanes."""

    memory_kib: int
    passes: int
    lanes: int
    reason: str


OWASP_MINIMUM = Argon2Profile(19_456, 2, 1, "OWASP Password Storage Cheat Sheet: the least that is recommended")
OWASP_MORE_MEMORY = Argon2Profile(47_104, 1, 1, "OWASP Password Storage Cheat Sheet: as strong, one pass over 46 MiB")
RFC_9106_LOW_MEMORY = Argon2Profile(65_536, 3, 4, "RFC 9106 section 4, second choice: 64 MiB, four threads a hash")
RFC_9106_HIGH_MEMORY = Argon2Profile(2_097_152, 1, 4, "RFC 9106 section 4, first choice: 2 GiB a hash")
UNSAFE_FOR_TESTS = Argon2Profile(8, 1, 1, "as cheap as Argon2 can be: for test suites, never for people's passwords")

_STORED = re.compile(
    r"\$argon2(?:id|i|d)(?:\$v=(?:16|19))?\$m=([0-9]{1,9}),t=([0-9]{1,3}),p=([0-9]{1,3})"
    r"\$[A-Za-z0-9+/]{11,128}\$[A-Za-z0-9+/]{22,172}",
    re.ASCII,
)
_MOST_PASSES = 64
_MOST_LANES = 64


class Argon2Hasher:
    """Argon2id through argon2-cffi; reads Argon2i and Argon2d too, to replace them."""

    def __init__(
        self,
        profile: Argon2Profile = OWASP_MINIMUM,
        *,
        normalization: Normalization = Normalization.OPAQUE_STRING,
    ) -> None:
        """Raise ``ConfigurationError`` when argon2-cffi is missing or refuses the parameters."""
        try:
            import argon2
        except ImportError as error:
            raise ConfigurationError("Argon2Hasher needs argon2-cffi; install it or choose another hasher.") from error
        try:
            self._argon2 = argon2.PasswordHasher(profile.passes, profile.memory_kib, profile.lanes)
        except argon2.exceptions.UnsupportedParametersError as error:
            raise ConfigurationError(f"Argon2 refuses this profile ({error}); choose other parameters.") from error
        self._failures = (argon2.exceptions.Argon2Error, argon2.exceptions.InvalidHash, MemoryError)
        self._mismatch = argon2.exceptions.VerifyMismatchError
        self.profile = profile
        self.memory = profile.memory_kib * 1024
        self.normalization = normalization

    def hash(self, password: str) -> str:
        """Return a new Argon2id hash in PHC form; see :meth:`authguard.login.hashers.Hasher.hash`."""
        try:
            return self._argon2.hash(password)
        except self._failures as error:
            raise HasherFailed("argon2") from error

    def verify(self, stored: str, password: str) -> bool:
        """Return whether ``password`` made ``stored``; see :meth:`authguard.login.hashers.Hasher.verify`."""
        try:
            return self._argon2.verify(stored, password)
        except self._mismatch:
            return False
        except self._failures as error:
            raise HasherFailed("argon2") from error

    def fit(self, stored: str) -> Fit:
        """Return how ``stored`` suits; tags under 16 bytes and salts under 8 count as malformed."""
        match = _STORED.fullmatch(stored)
        if match is None:
            return Fit.FOREIGN
        memory_kib, passes, lanes = map(int, match.groups())
        if memory_kib * 1024 > MOST_MEMORY or passes > _MOST_PASSES or lanes > _MOST_LANES:
            return Fit.FOREIGN
        return Fit.OTHER_PARAMETERS if self._argon2.check_needs_rehash(stored) else Fit.CURRENT
