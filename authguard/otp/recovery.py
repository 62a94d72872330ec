"""Recovery codes: look-up secrets on paper, for the day on which the app is gone; each is good once."""

from __future__ import annotations

import hashlib
import re
import secrets

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letters that are read as digits."""
LENGTH = 24
"""Characters: 120 bits. From 112 on a plain hash protects a look-up secret (NIST SP 800-63B-4, 3.1.2.2)."""
_MISREAD = str.maketrans("OIL", "011")
_GROUP = 4
_BETWEEN = re.compile(r"[ \-]")


def new_recovery_codes(count: int = 10) -> list[str]:
    """Return ``count`` codes to show once, in groups of four characters."""
    return [_spaced("".join(secrets.choice(ALPHABET) for _ in range(LENGTH))) for _ in range(count)]


def hash_recovery_code(account: str, code: str) -> str | None:
    """Return what to store of ``code``, in 64 hexadecimal digits; ``None`` for text that can't be one.

    Capitals, blanks and dashes don't matter, and letters that are read as digits are those digits.
    """
    if len(code) > 2 * LENGTH or not code.isascii():
        return None
    plain = _BETWEEN.sub("", code).upper().translate(_MISREAD)
    if len(plain) != LENGTH or not set(plain) <= set(ALPHABET):
        return None
    return hashlib.sha256(f"authguard recovery 1:{account}:{plain}".encode()).hexdigest()


def _spaced(code: str) -> str:
    return "-".join(code[start : start + _GROUP] for start in range(0, len(code), _GROUP))
