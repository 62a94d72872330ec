"""Continue: where the links in messages lead. Looking uses nothing up; the button does."""

from __future__ import annotations

import time

from flask import Blueprint, Response, request, session

from demo_app.accounts import account_named, find_account
from demo_app.answers import move_on, say
from demo_app.codes import codes
from demo_app.state import HALF_LIFE, sign_in
from demo_app.views.contact_change import follow_contact_link

continue_here = Blueprint("continue_here", __name__)
STALE = "That link was used already, or is too old."


@continue_here.route("/continue/<token>", methods=("GET", "POST"))
def page(token: str) -> Response:
    """Show a button, or let the reader of the message in, in this browser."""
    reader = codes().read_link(token)
    if reader is None:
        return _quiet(say("continue.html", {"message": STALE, "good": False}, 400))
    if request.method != "POST":
        return _quiet(say("continue.html", {"good": True}))
    account = account_named(reader.account) if reader.account else find_account(reader.to or "")
    deliver = account.contact if account else reader.to
    for purpose in ("login", "reset", "signup-taken", "signup"):
        if codes().follow_link(purpose, token, deliver=deliver) is None:
            continue
        if account is None:
            session["proven"] = {"contact": reader.to, "until": time.time() + HALF_LIFE}
            return _quiet(move_on("signup.finish", {"contact": reader.to}))
        sign_in(account.name)
        endpoint = "account.page"
        if purpose == "reset":
            session["may_choose"], endpoint = time.time() + HALF_LIFE, "reset.choose"
        return _quiet(move_on(endpoint, {"name": account.name}))
    return _quiet(follow_contact_link(token) or say("continue.html", {"message": STALE, "good": False}, 400))


def _quiet(response: Response) -> Response:
    """Keep the link, which is a secret, out of what this page's own links would tell other sites."""
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response
