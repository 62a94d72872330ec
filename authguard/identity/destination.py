"""Destinations: whether a message may be sent to a phone number, by its type and its region."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from authguard.errors import ConfigurationError
from authguard.identity.phone import PhoneNumber, check_region


class PhoneType(StrEnum):
    """What a numbering plan uses a number for."""

    FIXED_LINE = "fixed_line"
    MOBILE = "mobile"
    FIXED_LINE_OR_MOBILE = "fixed_line_or_mobile"
    TOLL_FREE = "toll_free"
    PREMIUM_RATE = "premium_rate"
    SHARED_COST = "shared_cost"
    VOIP = "voip"
    PERSONAL_NUMBER = "personal_number"
    PAGER = "pager"
    UAN = "uan"
    VOICEMAIL = "voicemail"
    UNKNOWN = "unknown"
    """Possible, and in no range the metadata knows: often a range younger than the metadata."""


class SendVerdict(StrEnum):
    """Whether a message may be sent, or which rule says no."""

    ALLOWED = "allowed"
    TYPE_REFUSED = "type_refused"
    REGION_REFUSED = "region_refused"
    REGION_UNKNOWN = "region_unknown"


COSTLY_TYPES = frozenset(
    {
        PhoneType.PREMIUM_RATE,
        PhoneType.SHARED_COST,
        PhoneType.PERSONAL_NUMBER,
        PhoneType.PAGER,
        PhoneType.UAN,
        PhoneType.VOICEMAIL,
    }
)
"""Types whose owner is paid for what is sent to them, or that no person reads a message on."""

_WORLDWIDE = "001"


@dataclass(frozen=True, slots=True)
class SendRules:
    """Where messages may go. Regions, not calling codes: ``+1 809`` is the Dominican Republic, ``+44 7797`` Jersey.

    ``regions`` lists the ISO 3166 codes that are served, ``None`` for all; ``refused_regions`` are taken
    out of them. Worldwide services (satellite, international premium: ``001``) are served only where
    ``regions`` names ``001``. Raises :class:`ConfigurationError` for a code no numbering plan has.
    """

    regions: frozenset[str] | None = None
    refused_regions: frozenset[str] = frozenset()
    refused_types: frozenset[PhoneType] = COSTLY_TYPES

    def __post_init__(self) -> None:
        """Check the codes and write them in upper case."""
        if self.regions is not None:
            object.__setattr__(self, "regions", frozenset(_code(region) for region in self.regions))
        object.__setattr__(self, "refused_regions", frozenset(_code(region) for region in self.refused_regions))
        try:
            object.__setattr__(self, "refused_types", frozenset(PhoneType(kind) for kind in self.refused_types))
        except ValueError:
            raise ConfigurationError(f"refused phone types must be among {', '.join(PhoneType)}") from None


DEFAULT_SEND_RULES = SendRules()
"""Every region, no costly type, no worldwide service."""


def may_send(number: PhoneNumber, rules: SendRules = DEFAULT_SEND_RULES) -> SendVerdict:
    """Return whether a message may be sent to ``number.e164``.

    A question apart from counting: a number that may not be sent to has a key all the same, and is
    counted. One whose type is unknown is allowed where its region is known.
    """
    if number.region is None:
        return SendVerdict.REGION_UNKNOWN
    if number.region in rules.refused_regions or not _serves(number.region, rules.regions):
        return SendVerdict.REGION_REFUSED
    return SendVerdict.TYPE_REFUSED if phone_type(number) in rules.refused_types else SendVerdict.ALLOWED


def phone_type(number: PhoneNumber) -> PhoneType:
    """Return what the numbering plan uses ``number`` for."""
    return _type(number.e164)


@lru_cache(maxsize=1024)
def _type(e164: str) -> PhoneType:
    from phonenumbers import PhoneNumberType, number_type, parse

    return PhoneType(PhoneNumberType.to_string(number_type(parse(e164))).lower())


def _serves(region: str, regions: frozenset[str] | None) -> bool:
    return region != _WORLDWIDE if regions is None else region in regions


def _code(region: str) -> str:
    return _WORLDWIDE if region == _WORLDWIDE else check_region(region)
