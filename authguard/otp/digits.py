"""Digits: how codes are drawn, and what is one."""

from __future__ import annotations

import secrets
from collections.abc import Callable

ALPHABET = "0123456789"
"""The digits of a code. ASCII alone: what ``int()`` and ``str.isdigit()`` take for digits is a longer list."""


def draw_code(digits: int, below: Callable[[int], int] = secrets.randbelow) -> str:
    """Return a code of ``digits`` digits, leading zeros and all; each is as likely as any other.

    ``below(n)`` returns an integer from 0 to n-1, each as likely as the others (no modulo of a larger one).
    """
    return str(below(10**digits)).zfill(digits)


def is_code(given: object, digits: int) -> bool:
    """Return whether ``given`` could be a code: text, of exactly ``digits`` digits, in the one spelling there is."""
    return type(given) is str and len(given) == digits and all(character in ALPHABET for character in given)
