"""Durations: ``"15m"`` and its kind, as integer microseconds."""

from __future__ import annotations

import re

from authguard.clock import SECOND

_UNITS = {
    "ms": SECOND // 1000,
    "s": SECOND,
    "m": 60 * SECOND,
    "h": 3600 * SECOND,
    "d": 86_400 * SECOND,
    "w": 604_800 * SECOND,
}
_PART = re.compile(r"([0-9]{1,9})(ms|[smhdw])", re.ASCII)
_WHOLE = re.compile(r"(?:[0-9]{1,9}(?:ms|[smhdw]))+", re.ASCII)
LONGEST = 400 * _UNITS["d"]
"""The longest duration accepted: a year and some slack."""


def parse_duration(text: str) -> int:
    """Return the microseconds that ``text`` names.

    ``text`` is one or more whole numbers, each with a unit of ``ms s m h d w`` (``"15m"``, ``"1h30m"``).
    Raises ``ValueError`` with a sentence for anything else, for zero, and for more than 400 days.
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is not a duration; write a number and a unit, such as '90s', '15m' or '24h'")
    total = sum(int(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    if not 0 < total <= LONGEST:
        raise ValueError(f"the duration {text[:40]!r} must be longer than zero and at most 400 days")
    return total


def format_duration(microseconds: int) -> str:
    """Return the shortest spelling of ``microseconds`` that :func:`parse_duration` reads back."""
    parts = []
    rest = microseconds
    for unit in ("w", "d", "h", "m", "s", "ms"):
        number, rest = divmod(rest, _UNITS[unit])
        if number:
            parts.append(f"{number}{unit}")
    return "".join(parts) or "0s"
