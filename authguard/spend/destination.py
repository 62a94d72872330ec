"""Destination: whom a channel reaches, as what can be counted of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from authguard.errors import IdentityError
from authguard.identity import SendVerdict, email_key, may_send, phone_number
from authguard.spend.channel import Channel, Kind


@dataclass(frozen=True, slots=True)
class Destination:
    """``key`` tells destinations apart, ``block`` the ranges their numbers come from; both are personal.

    Both are empty where nothing is to be told apart. ``verdict`` says whether a message may go there at all.
    """

    key: str = field(default="", repr=False)
    region: str | None = None
    block: str = field(default="", repr=False)
    verdict: SendVerdict = SendVerdict.ALLOWED


def read_destination(channel: Channel, to: str | None) -> Destination:
    """Return the destination that ``to`` spells; raises ``IdentityError`` for one that is missing or can't be read."""
    if channel.kind is Kind.PLAIN:
        return Destination(to or "")
    if to is None:
        raise IdentityError("missing")
    if channel.kind is Kind.MAIL:
        return Destination(email_key(to))
    number = phone_number(to, channel.default_region)
    return Destination(number.key, number.region, number.key[: -channel.range_digits], may_send(number, channel.rules))
