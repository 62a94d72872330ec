"""Any purpose: every flow sends the same kind of code and takes it."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import Reader, Sent, codes_of, use_codes
from demo_app.gate import Defenses
from demo_app.naive.passing import PassingCodes

PURPOSE = "code"


class OnePurpose(PassingCodes):
    """Codes as ever, all for one purpose."""

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> Sent:
        """Send a code."""
        return super().send(PURPOSE, to, deliver=deliver, account=account, token=token)

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right in any flow."""
        return super().verify(PURPOSE, token, code, to=to, deliver=deliver, account=account)

    def follow_link(self, purpose: str, token: str, *, deliver: str | None) -> Reader | None:
        """Use a link up."""
        return super().follow_link(PURPOSE, token, deliver=deliver)


def take_any_purpose(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the tie between a challenge and the flow it was asked for."""
    use_codes(app, OnePurpose(codes_of(app)))
    return defenses
