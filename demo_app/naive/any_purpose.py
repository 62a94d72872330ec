"""Any purpose: every flow sends the same kind of code and takes it."""

from __future__ import annotations

from flask import Flask

from demo_app.codes import Codes, Reader, Sent, codes_of, use_codes
from demo_app.gate import Defenses

PURPOSE = "code"


class OnePurpose:
    """Codes as ever, all for one purpose."""

    def __init__(self, inner: Codes) -> None:
        self._inner = inner

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> Sent:
        """Send a code."""
        return self._inner.send(PURPOSE, to, deliver=deliver, account=account, token=token)

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right in any flow."""
        return self._inner.verify(PURPOSE, token, code, to=to, deliver=deliver, account=account)

    def read_link(self, token: str) -> Reader | None:
        """Return whom a link speaks for."""
        return self._inner.read_link(token)

    def follow_link(self, purpose: str, token: str, *, deliver: str | None) -> Reader | None:
        """Use a link up."""
        return self._inner.follow_link(PURPOSE, token, deliver=deliver)

    def forget_devices(self, account: str) -> None:
        """Revoke the account's known devices."""
        self._inner.forget_devices(account)


def take_any_purpose(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the tie between a challenge and the flow it was asked for."""
    use_codes(app, OnePurpose(codes_of(app)))
    return defenses
