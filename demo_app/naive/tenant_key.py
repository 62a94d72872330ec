"""Tenant key: each tenant's messages are counted by themselves, and the Host header is believed about which it is."""

from __future__ import annotations

from flask import Flask, request

from demo_app.codes import use_codes
from demo_app.gate import Defenses
from demo_app.naive.codes import HandSent
from demo_app.naive.waiting import NameWaitingCodes


class TenantWaitingCodes(NameWaitingCodes):
    """Makes each tenant wait for itself."""

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> HandSent:
        """Send a code, unless this tenant sent one there within the minute."""
        return super().send(purpose, _own(to), deliver=deliver, account=account, token=token)

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right."""
        return super().verify(purpose, token, code, to=_own(to), deliver=deliver, account=account)


def _own(to: str) -> str:
    return f"{request.host} {to}"


def key_on_host(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the one ladder that a destination has, whichever tenant a message is for."""
    use_codes(app, TenantWaitingCodes())
    return defenses
