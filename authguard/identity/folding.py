"""Folding: Unicode spellings that look alike to a person made one, until folding again changes nothing."""

from __future__ import annotations

import re
import unicodedata

from authguard.errors import IdentityError

_MOST_PASSES = 6
"""Passes before a text that never settles is refused; two are enough for everything seen."""

IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Runs of default-ignorable code points (Unicode DerivedCoreProperties, ``Default_Ignorable_Code_Point``).

They have no glyph, so each one left in place would mint a fresh key for the same visible name.
"""


def fold(text: str) -> str:
    """Return ``text`` as NFKC → case fold → default-ignorables removed → NFKC, repeated until it is stable.

    One pass is not idempotent for every string: NFKC can yield a capital, and removing a code point
    can bring a base and a combining mark together. Raises ``IdentityError("unstable")`` for a text
    that does not settle.
    """
    if text.isascii():
        return text.lower()
    for _ in range(_MOST_PASSES):
        folded = unicodedata.normalize("NFKC", text).casefold()
        folded = unicodedata.normalize("NFKC", IGNORABLE.sub("", folded))
        if folded == text:
            return folded
        text = folded
    raise IdentityError("unstable")
