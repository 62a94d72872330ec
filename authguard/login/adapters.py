"""Adapters: tables of hashes that another library made."""

from __future__ import annotations

import hashlib
import re

from authguard.errors import ConfigurationError, PasswordError
from authguard.login.hashers import MOST_MEMORY, Fit, HasherFailed
from authguard.login.text import Normalization

_METHOD = r"(?:scrypt:([0-9]{1,8}):([0-9]{1,3}):([0-9]{1,3})|pbkdf2:([a-z0-9_-]{1,16}):([0-9]{1,7}))"
_WERKZEUG = re.compile(rf"({_METHOD})\$[!-#%-~]{{1,128}}\$([0-9a-f]{{32,128}})", re.ASCII)
_BCRYPT = re.compile(r"\$2[abxy]\$([0-9]{2})\$[./A-Za-z0-9]{53}", re.ASCII)
_BCRYPT_BYTES = 72
_LEAST_COST, _MOST_COST = 4, 18
_SCRYPT_BYTES = 64
_FAILURES = (ValueError, OverflowError, MemoryError)


class WerkzeugHasher:
    """Hashes of ``werkzeug.security.generate_password_hash``: scrypt and PBKDF2."""

    def __init__(
        self, method: str = "scrypt:32768:8:1", *, normalization: Normalization = Normalization.AS_TYPED
    ) -> None:
        """Take ``method`` with all its parameters, as it stands before the first ``$`` of the table's hashes.

        Raises ``ConfigurationError`` for any other.
        """
        match = re.fullmatch(_METHOD, method, re.ASCII)
        if match is None:
            raise ConfigurationError(
                f"{method[:40]!r} is no complete Werkzeug method; write it as 'scrypt:32768:8:1' or "
                "'pbkdf2:sha256:1000000', as it stands before the first '$' of a stored hash."
            )
        self.method = method
        self.memory = _scrypt_memory(match) or 64 * 1024
        self.normalization = normalization

    def hash(self, password: str) -> str:
        """Return a new hash by the method given at construction."""
        from werkzeug.security import generate_password_hash

        try:
            return generate_password_hash(password, self.method)
        except _FAILURES as error:
            raise HasherFailed("werkzeug") from error

    def verify(self, stored: str, password: str) -> bool:
        """Return whether ``password`` made ``stored``; see :meth:`authguard.login.hashers.Hasher.verify`."""
        from werkzeug.security import check_password_hash

        try:
            return check_password_hash(stored, password)
        except _FAILURES as error:
            raise HasherFailed("werkzeug") from error

    def fit(self, stored: str) -> Fit:
        """Return how ``stored`` suits; a digest of the wrong length counts as truncated."""
        match = _WERKZEUG.fullmatch(stored)
        if match is None or len(match[7]) != 2 * _digest_bytes(match[5]) or _scrypt_memory(match, 1) > MOST_MEMORY:
            return Fit.FOREIGN
        return Fit.CURRENT if match[1] == self.method else Fit.OTHER_PARAMETERS


def _digest_bytes(pbkdf2_hash: str | None) -> int:
    """Return the digest's length: scrypt's where no PBKDF2 hash is named, 0 for a hash nobody has."""
    if pbkdf2_hash is None:
        return _SCRYPT_BYTES
    try:
        return hashlib.new(pbkdf2_hash, usedforsecurity=False).digest_size
    except ValueError:
        return 0


def _scrypt_memory(match: re.Match[str], before: int = 0) -> int:
    """Return the bytes that the scrypt parameters take (RFC 7914 section 2), 0 for PBKDF2."""
    n, r, p = (match[before + i] for i in (1, 2, 3))
    return 128 * int(n) * int(r) * int(p) if n else 0


class BcryptHasher:
    """bcrypt, which sees the first 72 bytes of a password and no more.

    A longer password is refused where a hash is made, and never right where one is checked (after the same work).
    Tables made by releases of bcrypt before 5.0 may hold longer ones, silently cut; ``unsafe_truncate`` lets those in,
    whatever follows the 72nd byte, until the hash is replaced.
    """

    def __init__(
        self,
        cost: int = 12,
        *,
        normalization: Normalization = Normalization.AS_TYPED,
        unsafe_truncate: bool = False,
    ) -> None:
        """Raise ``ConfigurationError`` when bcrypt is missing or ``cost`` (log2 of rounds) is not within 4 to 18."""
        try:
            import bcrypt
        except ImportError as error:
            raise ConfigurationError("BcryptHasher needs bcrypt; install authguard[bcrypt].") from error
        if not _LEAST_COST <= cost <= _MOST_COST:
            raise ConfigurationError("bcrypt's cost must be within 4 to 18; OWASP asks for 10 or more.")
        self._bcrypt = bcrypt
        self._unsafe_truncate = unsafe_truncate
        self.cost = cost
        self.memory = 64 * 1024
        self.normalization = normalization

    def hash(self, password: str) -> str:
        """Return a new ``$2b$`` hash; raises ``PasswordError("too_long")`` over 72 bytes."""
        encoded = password.encode()
        if len(encoded) > _BCRYPT_BYTES:
            raise PasswordError("too_long")
        return self._bcrypt.hashpw(encoded, self._bcrypt.gensalt(self.cost)).decode("ascii")

    def verify(self, stored: str, password: str) -> bool:
        """Return whether ``password`` made ``stored``; see :meth:`authguard.login.hashers.Hasher.verify`."""
        encoded = password.encode()
        try:
            same = self._bcrypt.checkpw(encoded[:_BCRYPT_BYTES], stored.encode("ascii"))
        except _FAILURES as error:
            raise HasherFailed("bcrypt") from error
        return same & (len(encoded) <= _BCRYPT_BYTES or self._unsafe_truncate)

    def fit(self, stored: str) -> Fit:
        """Return how ``stored`` suits."""
        match = _BCRYPT.fullmatch(stored)
        if match is None or not _LEAST_COST <= int(match[1]) <= _MOST_COST:
            return Fit.FOREIGN
        return Fit.CURRENT if int(match[1]) == self.cost and stored[:4] in ("$2b$", "$2y$") else Fit.OTHER_PARAMETERS
