"""Folding: Unicode spellings of one name made one, whatever their case, width and invisible characters."""

from __future__ import annotations

import re
import unicodedata

IGNORABLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Runs of default-ignorable code points (Unicode DerivedCoreProperties, ``Default_Ignorable_Code_Point``).

They have no glyph, so each one left in place would mint a fresh key for the same visible name.
"""


def fold(text: str) -> str:
    """Return ``text`` as NFKC → case fold → default-ignorables removed → NFKC; folding that again changes nothing.

    The last step puts together what the removal of a code point brought side by side.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", IGNORABLE.sub("", folded))
