"""Flow: a code that somebody asked for and will enter, kept in the session; scripts carry it themselves."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Response, session

from authguard.flask import read_fields
from demo_app.accounts import Account, find_account
from demo_app.answers import move_on
from demo_app.codes import codes
from demo_app.contact import fold

WRONG_CODE = "That code is wrong or too old."


@dataclass(frozen=True, slots=True)
class Whom:
    """What sending and checking are told about an identifier; alike whether or not there is an account."""

    account: str | None
    deliver: str | None


def whom(account: Account | None) -> Whom:
    """Return whom a code goes to, and whose it is."""
    return Whom(fold(account.name), account.contact) if account else Whom(None, None)


def ask(purpose: str, to: str, target: Whom, endpoint: str) -> Response:
    """Send a code for ``purpose`` and move on to the page that takes it."""
    earlier = session.get("flow", {})
    token = earlier.get("token") if (earlier.get("purpose"), earlier.get("to")) == (purpose, to) else None
    sent = codes().send(purpose, to, deliver=target.deliver, account=target.account, token=token)
    session["flow"] = {"purpose": purpose, "to": to, "token": sent.token, "wait": sent.next_send_in}
    return move_on(endpoint, {"token": sent.token, "next_send_in": sent.next_send_in})


def entered(purpose: str) -> tuple[str, bool]:
    """Return whom the code that was entered is for, as typed, and whether it is right."""
    flow = session.get("flow", {}) if session.get("flow", {}).get("purpose") == purpose else {}
    fields = read_fields("identifier", "token", "code")
    to = fields["identifier"] or flow.get("to", "")
    token = fields["token"] or flow.get("token", "")
    target = whom(find_account(to))
    right = codes().verify(
        purpose, token, fields["code"].strip(), to=to, deliver=target.deliver, account=target.account
    )
    if right:
        session.pop("flow", None)
    return to, right


def waiting() -> int:
    """Return for how many seconds this browser can't ask for another code."""
    return int(session.get("flow", {}).get("wait", 0))
