"""User names: a counting key for what an application looks up by name."""

from __future__ import annotations

import re
import unicodedata

from authguard.errors import IdentityError
from authguard.identity.folding import fold

LONGEST_USERNAME = 320
"""Characters accepted, before folding and after it."""

_SPACES = re.compile(r"\s+")


def username_key(text: str) -> str:
    """Return the counting key of a user name.

    Folds case, compatibility forms, invisible code points and runs of white space; keeps accents,
    because whether ``Zoë`` and ``Zoe`` are one account only the application knows (it can say so with
    a :class:`~authguard.identity.identifier.Resolver`).

    Raises :class:`IdentityError`: ``not_text``, ``too_long`` (over 320 characters), ``empty`` (nothing
    visible is left), ``invalid`` (control characters, lone surrogates).
    """
    if not isinstance(text, str):
        raise IdentityError("not_text")
    if len(text) > LONGEST_USERNAME:
        raise IdentityError("too_long")
    key = _SPACES.sub(" ", fold(text)).strip()
    if not key:
        raise IdentityError("empty")
    if len(key) > LONGEST_USERNAME:
        raise IdentityError("too_long")
    if not key.isprintable() and any(unicodedata.category(character) in ("Cc", "Cs") for character in key):
        raise IdentityError("invalid")
    return key
