"""Password text: which submitted values are passwords at all, and which bytes they stand for."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum

from authguard.errors import PasswordError

_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


class Normalization(StrEnum):
    """What is done to a password's text before it is hashed."""

    OPAQUE_STRING = "opaque_string"
    """RFC 8265 section 4.2.2: non-ASCII spaces become a space, then NFC. The same keys give the same bytes on every
    system, and no two characters that look different become one."""

    NFKC = "nfkc"
    """NIST SP 800-63B-4 section 3.1.1.2: compatibility characters fold too (``ﬁ`` is ``fi``, ``①`` is ``1``)."""

    AS_TYPED = "as_typed"
    """Nothing: for tables whose hashes were made from the text as it came."""

    def apply(self, password: str) -> str:
        """Return ``password`` in this form."""
        if self is Normalization.OPAQUE_STRING:
            return unicodedata.normalize("NFC", _SPACES.sub(" ", password))
        if self is Normalization.NFKC:
            return unicodedata.normalize("NFKC", password)
        return password


def accept_password(password: object, max_length: int) -> str:
    """Return ``password`` if it is text of at most ``max_length`` bytes of UTF-8 without NUL and lone surrogates.

    Raises :class:`~authguard.errors.PasswordError` otherwise. The cheapest question comes first, so that a
    megabyte costs no more than a letter.
    """
    if not isinstance(password, str):
        raise PasswordError("not_text")
    if len(password) > max_length:
        raise PasswordError("too_long")
    if _SURROGATE.search(password):
        raise PasswordError("surrogate")
    if len(password.encode()) > max_length:
        raise PasswordError("too_long")
    if "\0" in password:
        raise PasswordError("nul")
    return password
