"""Denial: why nothing may be spent."""

from __future__ import annotations

from enum import StrEnum

from authguard.delivery.spending import Withheld


class Reason(StrEnum):
    """Why nothing may be spent; the value names it in metrics.

    ``EXHAUSTED``, ``COUNTRY``, ``DESTINATION``: a cap, one of the country's, of the destination's own. ``RANGE``: too
    many numbers of one range, none of which was ever verified. ``UNVERIFIED``: too many messages to strangers in that
    country whose code nobody used. ``LOST``: the reservation has expired, was given up, or somebody with the same key
    has dispatched it. ``KEY``: the same key was used for something else. The others are what
    :func:`~authguard.identity.may_send` says.
    """

    EXHAUSTED = "exhausted"
    COUNTRY = "country"
    DESTINATION = "destination"
    RANGE = "range"
    UNVERIFIED = "unverified"
    LOST = "lost"
    KEY = "key"
    TYPE_REFUSED = "type_refused"
    REGION_REFUSED = "region_refused"
    REGION_UNKNOWN = "region_unknown"


class SpendDenied(Withheld):
    """Nothing may be spent, in ``retry_after`` microseconds perhaps; ``None`` where time changes nothing.

    Raised rather than returned: whoever forgets to look must not spend.
    """

    def __init__(self, reason: Reason, retry_after: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after
