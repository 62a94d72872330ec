"""Message: what goes to one mailbox or phone. Nothing of it shows in a repr, for all of it is personal or secret."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""The control characters, and the separators that some programs take for a line's end."""
_E164 = re.compile(r"\+[0-9]{1,17}", re.ASCII)
"""The international form of a number; numbering plans have two digits more than the recommendation."""
LONGEST_ADDRESS = 254
"""Characters: the longest e-mail address that a mail transaction can carry (RFC 5321, 4.5.3.1.3, less the brackets)."""


class Channel(StrEnum):
    """What a message travels by. Each is paced, paid for and counted apart."""

    MAIL = "mail"
    SMS = "sms"


@dataclass(frozen=True, slots=True)
class Message:
    """One message. ``to`` is a mailbox as its owner wrote it, or a phone number; never a counting key.

    ``key`` is the same for every repetition of one message, so that a provider that takes idempotency keys sends it
    once. Raises ``ValueError`` for an address or a subject that would break out of its header line, and for a number
    that is not in its international form (ITU-T E.164): what a provider makes of any other nobody here has counted.
    """

    channel: Channel
    to: str = field(repr=False)
    text: str = field(repr=False)
    subject: str = field(default="", repr=False)
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not self.to or len(self.to) > LONGEST_ADDRESS or _CONTROL.search(self.to) or _CONTROL.search(self.subject):
            raise ValueError("a message needs an address and a subject without control characters")
        if self.channel is Channel.SMS and not _E164.fullmatch(self.to):
            raise ValueError("a text message goes to a number in its international form, such as +447400000001")
