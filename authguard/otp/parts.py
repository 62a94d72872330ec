"""Parts: how many text messages a text travels in, each of which providers charge for."""

from __future__ import annotations

_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENDED = frozenset("\f^{}\\[~]|€")


def count_parts(text: str) -> int:
    """Return how many text messages carry ``text``: of 160 characters, of which 153 are left where there are several.

    That is for the alphabet of 3GPP TS 23.038 (6.2.1), whose extension counts twice. One letter of any other makes them
    70 and 67 units of UTF-16 (TS 23.040, 9.2.3.24.1).
    """
    if all(letter in _BASIC or letter in _EXTENDED for letter in text):
        size, alone, joined = len(text) + sum(letter in _EXTENDED for letter in text), 160, 153
    else:
        size, alone, joined = len(text.encode("utf-16-be", "surrogatepass")) // 2, 70, 67
    return 1 if size <= alone else -(-size // joined)
