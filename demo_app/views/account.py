"""Account page, for a session or, as scripts like it, for HTTP Basic credentials."""

from __future__ import annotations

from flask import Blueprint, Response, request

from demo_app.accounts import find_account
from demo_app.answers import move_on, say, wants_json
from demo_app.contact import fold
from demo_app.second_factor import has_second_factor
from demo_app.state import half_signed_in, signed_in
from demo_app.verifier import WRONG_LOGIN, prove

account = Blueprint("account", __name__)


@account.get("/account")
def page() -> Response:
    """Show who is signed in."""
    basic = request.authorization
    if basic is not None and basic.type == "basic":
        name = prove(basic.username or "", basic.password or "")
        # These credentials have no place for a second factor.
        person = find_account(name) if name and not has_second_factor(fold(name)) else None
    else:
        person = signed_in()
    if person is not None:
        return say("account.html", {"name": person.name, "contact": person.contact})
    if basic is None and not wants_json():
        return move_on("second_factor.page" if half_signed_in() else "login.page", {})
    refusal = say("login.html", {"message": WRONG_LOGIN if basic else "Log in first."}, 401)
    refusal.headers["WWW-Authenticate"] = 'Basic realm="Lantern", charset="UTF-8"'
    return refusal
