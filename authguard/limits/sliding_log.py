"""Sliding log, exact: in every window at most ``amount`` charges stand. The state is a log of nothing but times."""

from __future__ import annotations

from authguard.limits import log
from authguard.limits.limit import Limit
from authguard.limits.log import count

__all__ = ["count", "merge"]


def merge(one: bytes, other: bytes, limit: Limit, now: int) -> bytes:
    """Return the log in which the charges of both stand."""
    return log.merge(one, other, log.TIME, now)
