"""Typed address: a message goes to what was typed, for that found the account."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes, HandSent


class TypedCodes(HandCodes):
    """Takes letters that look alike to a look-up for one mailbox."""

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> HandSent:
        """Send a code there, where there is an account."""
        typed = to if deliver is not None and "@" in to else deliver
        return super().send(purpose, to, deliver=typed, account=account)


def send_to_typed(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the address that is stored with the account."""
    use_codes(app, TypedCodes())
    return defenses
