"""Balance: what a cap holds now."""

from __future__ import annotations

from dataclasses import dataclass

from authguard.limits import Limit


@dataclass(frozen=True, slots=True)
class Balance:
    """What one cap of a channel holds now, in units: ``spent`` + ``reserved`` + ``left`` is its amount.

    Where a cap was lowered below what stands in it, the first two are more than that, and nothing is left. ``cap`` is
    its name: that of a cap, a region with one of its own (``IE``), a lane's share of either (``day:strangers``), or
    ``total``, which is what was spent in the last seven days and has no end.
    """

    channel: str
    cap: str
    limit: Limit
    spent: int
    reserved: int
    left: int
    unit: str
