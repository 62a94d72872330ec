"""Flow: a code that somebody asked for and will enter, kept in the session; scripts carry it themselves."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, cast

from flask import session

from authguard.flask import read_fields
from demo_app.accounts import Account
from demo_app.codes import codes
from demo_app.contact import fold

WRONG_CODE = "That code is wrong or too old."


@dataclass(frozen=True, slots=True)
class Whom:
    """What sending and checking are told about an identifier; alike whether or not there is an account."""

    purpose: str
    account: str | None
    deliver: str | None


def whom(purpose: str, account: Account | None) -> Whom:
    """Return whom a code goes to, and whose it is."""
    return Whom(purpose, fold(account.name), account.contact) if account else Whom(purpose, None, None)


def ask(flow: str, to: str, target: Whom) -> dict[str, Any]:
    """Send a code and return the answer for scripts.

    The session can be read by whoever has it: it holds the flow's name, and not the purpose, which may tell more.
    """
    earlier = _kept(flow)
    token = earlier["token"] if earlier.get("to") == to else None
    sent = codes().send(target.purpose, to, deliver=target.deliver, account=target.account, token=token)
    # Whole seconds: cookies of one length, whatever the clock says.
    session["flow"] = {"name": flow, "to": to, "token": sent.token, "ready": int(time.time()) + sent.next_send_in}
    return {"token": sent.token, "next_send_in": sent.next_send_in}


def asked_for(flow: str, typed: str) -> str:
    """Return whom the code that comes back is for: what a script has ``typed``, or this browser before."""
    return typed or str(_kept(flow).get("to", ""))


def is_right(flow: str, to: str, target: Whom) -> bool:
    """Return whether the code in the request is right, which ends the flow."""
    fields = read_fields("token", "code")
    token, code = fields["token"] or _kept(flow).get("token", ""), fields["code"].strip()
    right = codes().verify(target.purpose, token, code, to=to, deliver=target.deliver, account=target.account)
    if right:
        end()
    return right


def end() -> None:
    """Forget what this browser asked for."""
    session.pop("flow", None)


def waiting(flow: str) -> int:
    """Return for how many seconds this browser can't ask for another code."""
    ready: int = _kept(flow).get("ready", 0)
    return max(0, ready - int(time.time()))


def _kept(flow: str) -> dict[str, Any]:
    kept = cast("dict[str, Any]", session.get("flow", {}))
    return kept if kept.get("name") == flow else {}
