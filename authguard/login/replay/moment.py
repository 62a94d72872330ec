"""Moment: a time as logs write it, in microseconds since the Unix epoch."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta

from authguard.clock import SECOND

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMBER = re.compile(r"[0-9]{9,11}(\.[0-9]{1,9})?|[0-9]{12,14}", re.ASCII)
_MILLISECONDS = 10**11
"""From here on a number of seconds would be in the sixth millennium; it is one of milliseconds."""


def read_moment(text: str) -> int:
    """Return the time that ``text`` names: ISO 8601, or seconds or milliseconds since the epoch.

    A time without an offset is UTC. Raises ``ValueError`` for anything else.
    """
    if _NUMBER.fullmatch(text):
        number = float(text)
        return math.floor(number * 1000 if number >= _MILLISECONDS else number * SECOND)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("the time can't be read") from None  # the text may be anything, a misplaced name too
    at = microseconds(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    if at < 0:
        raise ValueError("a time before 1970 is no time of a login")
    return at


def microseconds(moment: datetime) -> int:
    """Return the microseconds from the epoch to ``moment``, which has an offset."""
    return (moment - _EPOCH) // timedelta(microseconds=1)
