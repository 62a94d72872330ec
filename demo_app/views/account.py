"""Account page, for a session or, as scripts like it, for HTTP Basic credentials."""

from __future__ import annotations

from flask import Blueprint, Response, request

from demo_app.accounts import find_account
from demo_app.answers import move_on, say, wants_json
from demo_app.contact import fold
from demo_app.second_factor import has_second_factor
from demo_app.state import half_signed_in, signed_in
from demo_app.verifier import prove, refuse

account = Blueprint("account", __name__)


@account.get("/account")
def page() -> Response:
    """Show who is signed in."""
    given = request.authorization
    basic = given if given is not None and given.type == "basic" else None
    if basic is not None:
        name = prove(basic.username or "", basic.password or "")
        # These credentials have no place for a second factor.
        person = find_account(name) if name and not has_second_factor(fold(name)) else None
    else:
        person = signed_in()
    if person is not None:
        return say("account.html", {"name": person.name, "contact": person.contact})
    if basic is None and not wants_json():
        return move_on("second_factor.page" if half_signed_in() else "login.page", {})
    refusal = refuse(basic.username or "") if basic else say("login.html", {"message": "Log in first."}, 401)
    refusal.headers["WWW-Authenticate"] = 'Basic realm="Lantern", charset="UTF-8"'
    return refusal
