"""O9: what answers and cookies say about a code."""

from __future__ import annotations

import base64
import zlib

from attacks.attack import Attack, Criterion
from attacks.browser import Browser, ask_and_read
from attacks.code_setup import PLAIN
from attacks.people import ALICE, MALLORY
from attacks.target import Target


def unfold(text: str) -> bytes:
    """Return what the first part of a signed cookie holds."""
    packed = text.startswith(".")
    payload = text.lstrip(".").partition(".")[0].rstrip("=")
    try:
        plain = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        return zlib.decompress(plain) if packed else plain
    except (ValueError, zlib.error):
        return b""


def run(target: Target) -> int:
    """Ask for somebody’s code and look for it in all that came back; count where it is found."""
    browser = Browser(target.client(MALLORY.address))
    asked = ask_and_read(browser, target, ALICE.contact, ALICE.contact)
    seen = [asked.token, *browser.cookies.values()]
    return sum(asked.code in text or asked.code.encode() in unfold(text) for text in seen)


READABLE = Attack(
    "O9",
    "codes in cookies and answers",
    "no-clear-codes",
    Criterion("places where a code can be read", wins=1, loses=(0, 0)),
    run,
    PLAIN,
)
