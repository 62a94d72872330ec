"""Codes: one application's one-time codes, sending, checking and links over one foundation."""

from __future__ import annotations

from dataclasses import dataclass

from authguard.delivery import Sender
from authguard.errors import ConfigurationError
from authguard.otp.checking import Checking
from authguard.otp.following import Following
from authguard.otp.foundation import Foundation
from authguard.otp.letters import Letters
from authguard.otp.link_template import LinkTemplate
from authguard.otp.sending import Sending
from authguard.otp.wording import Wording

VERIFY = "otp-verify"
"""The policy that guesses at codes are charged to, and that says how long codes are."""


@dataclass(frozen=True, slots=True)
class Codes:
    """What sends codes, what checks them, and what follows the links in their messages."""

    foundation: Foundation
    sender: Sender
    sending: Sending
    checking: Checking
    following: Following

    @classmethod
    def build(cls, foundation: Foundation, sender: Sender, wording: Wording, links: LinkTemplate) -> Codes:
        """Put the parts together; raises ``ConfigurationError`` where the policy says that codes have no digits."""
        digits = foundation.guard.policy(VERIFY).digits
        if not digits:
            raise ConfigurationError(f"digits in [policies.{VERIFY}] is 0; set it to 6, or to 8 for long odds")
        letters = Letters(foundation, wording, links)
        return cls(
            foundation,
            sender,
            Sending(foundation, sender, letters, digits),
            Checking(foundation, digits),
            Following(foundation),
        )
