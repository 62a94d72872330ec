"""Seal: small tokens that a client keeps for us and can neither read nor change, each for one purpose."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from authguard.clock import SECOND
from authguard.errors import TokenError

if TYPE_CHECKING:  # costs 20 ms, and most requests bring no token
    from cryptography.fernet import MultiFernet

LONGEST_TOKEN = 512
"""Characters of the longest token that is looked at."""
_TIME = 8


class Sealed(NamedTuple):
    """What a token held, and when it was made, in microseconds of the clock it was sealed by."""

    payload: bytes
    at: int


class Seal:
    """Fernet tokens under keys derived (HKDF-SHA-256, RFC 5869) from ``secrets``, the current one first.

    A token opens only for the ``app`` and the ``purpose`` it was sealed for. What a retiring secret sealed still opens,
    and is as old as it was. Safe to share between threads.
    """

    def __init__(self, secrets: Sequence[bytes], *, app: str, purpose: str) -> None:
        self._secrets = tuple(secrets)
        self._info = f"authguard seal 1:{len(app)}:{app}:{purpose}".encode("utf-8", "surrogatepass")
        self._fernet: MultiFernet | None = None

    def seal(self, payload: bytes, now: int) -> str:
        """Return a token of letters, digits, ``-`` and ``_`` that holds ``payload``; ``now`` is the store's time."""
        sealed = self._keys().encrypt_at_time(now.to_bytes(_TIME, "big") + payload, now // SECOND)
        return sealed.decode().rstrip("=")

    def open(self, token: str) -> Sealed:
        """Return what ``token`` holds; how old it may be is for the caller to say, by the store's time.

        Raises ``TokenError`` for whatever :meth:`seal` did not make, letter by letter: another spelling of a token
        (base64 has several) would pass for a token never used.
        """
        from cryptography.fernet import InvalidToken

        try:
            content = self._keys().decrypt(_canonical(token))
        except InvalidToken:
            raise TokenError from None
        return Sealed(content[_TIME:], int.from_bytes(content[:_TIME], "big"))

    def _keys(self) -> MultiFernet:
        if self._fernet is None:
            from cryptography.fernet import Fernet, MultiFernet
            from cryptography.hazmat.primitives.hashes import SHA256
            from cryptography.hazmat.primitives.kdf.hkdf import HKDF

            keys = [HKDF(SHA256(), 32, None, self._info).derive(secret) for secret in self._secrets]
            self._fernet = MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])
        return self._fernet


def _canonical(token: str) -> bytes:
    """Return the token as Fernet spells it; raises ``TokenError`` for any other spelling of the same bytes."""
    if not token.isascii() or "=" in token or len(token) > LONGEST_TOKEN:
        raise TokenError
    padded = token.encode() + b"=" * (-len(token) % 4)
    try:
        decoded = base64.urlsafe_b64decode(padded)
    except ValueError:
        raise TokenError from None
    if base64.urlsafe_b64encode(decoded) != padded:
        raise TokenError
    return padded
