"""Destination: an address that a message goes to, and the key by which it is counted."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from authguard.delivery import Channel
from authguard.identity import EmailRules, email_key, phone_number


@dataclass(frozen=True, slots=True)
class Destination:
    """``address`` is what is delivered to, ``key`` what is counted by; the two are never exchanged."""

    address: str = field(repr=False)
    key: str = field(repr=False)


def read_destination(
    channel: Channel, address: str, region: str | None = None, rules: EmailRules | None = None
) -> Destination:
    """Return the destination that ``address`` names; raises ``IdentityError`` for one that can't be read.

    A phone number is sent to in its international form, a mailbox exactly as its owner wrote it.
    """
    if channel is Channel.SMS:
        number = phone_number(address, region)
        return Destination(number.e164, f"phone:{number.key}")
    return Destination(address.strip(), f"email:{email_key(address, rules)}")


def channel_of(address: str) -> Channel:
    """Return the channel that ``address`` is an address of."""
    return Channel.MAIL if "@" in unicodedata.normalize("NFKC", address) else Channel.SMS
