"""Contact: an e-mail address or a phone number, as an account stores it and as it is looked up."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from enum import StrEnum


class Channel(StrEnum):
    """How a message travels."""

    MAIL = "mail"
    SMS = "sms"


@dataclass(frozen=True, slots=True)
class Contact:
    """Where messages to an account go."""

    channel: Channel
    address: str


def fold(identifier: str) -> str:
    """Return the form in which names and contacts are compared: no case, no compatibility forms, no outer spaces."""
    return unicodedata.normalize("NFKC", identifier).casefold().strip()


def read_contact(text: str) -> Contact:
    """Return the contact that ``text`` spells; raises ``ValueError`` when it is neither mail nor phone."""
    if len(text) > 320:
        raise ValueError("too long")
    return _read_mail(text.strip()) if "@" in text else _read_phone(text)


def _read_mail(text: str) -> Contact:
    from email_validator import validate_email  # EmailNotValidError is a ValueError

    return Contact(Channel.MAIL, validate_email(text, check_deliverability=False).normalized)


def _read_phone(text: str) -> Contact:
    import phonenumbers

    try:
        number = phonenumbers.parse(text, None)
    except phonenumbers.NumberParseException:
        raise ValueError("not a phone number") from None
    if number.extension or not phonenumbers.is_possible_number(number):
        raise ValueError("not a phone number")
    return Contact(Channel.SMS, phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))
