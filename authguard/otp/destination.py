"""Destination: an address that a message goes to, and the key by which it is counted."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field

from authguard.delivery import Channel
from authguard.errors import IdentityError
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
    """Return the channel that ``address``, to which a message has gone, is an address of: none is one of both."""
    return Channel.MAIL if "@" in unicodedata.normalize("NFKC", address) else Channel.SMS


def channel_for(typed: str, channels: Collection[Channel], region: str | None = None) -> Channel:
    """Return by which of ``channels`` a code leaves that was asked for by ``typed``; the account must not decide that.

    By the only one that there is. Of two by mail, unless a phone number was typed: nobody knows yet whether whoever
    typed a user name has a phone, and text messages cost money.
    """
    if len(channels) == 1:
        return next(iter(channels))
    try:
        phone_number(typed, region)
    except IdentityError:
        return Channel.MAIL
    return Channel.SMS


def spell(address: str, region: str | None = None) -> str:
    """Return the one spelling of a phone number, its international form; anything else as it is, without outer blanks.

    What was typed goes into links, and blanks within a number would make a text message longer than is paid for.
    """
    try:
        return phone_number(address, region).e164
    except IdentityError:
        return address.strip()
