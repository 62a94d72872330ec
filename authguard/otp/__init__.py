"""One-time codes: challenges that burn, a guess budget that survives everything, links for whoever gets the message."""

from authguard.otp.binding import Binding
from authguard.otp.checking import Checked, Checking, Guess
from authguard.otp.entrance import Also, Direct, Entrance
from authguard.otp.following import Followed, Following, Reader
from authguard.otp.foundation import Foundation
from authguard.otp.ladders import Ladders
from authguard.otp.letters import Letters
from authguard.otp.link_template import LinkTemplate
from authguard.otp.rules import CodeRules
from authguard.otp.sending import Sending, Sent
from authguard.otp.wording import Content, EnglishWording, Text, Wording

__all__ = [
    "Also",
    "Binding",
    "Checked",
    "Checking",
    "CodeRules",
    "Content",
    "Direct",
    "EnglishWording",
    "Entrance",
    "Followed",
    "Following",
    "Foundation",
    "Guess",
    "Ladders",
    "Letters",
    "LinkTemplate",
    "Reader",
    "Sending",
    "Sent",
    "Text",
    "Wording",
]
