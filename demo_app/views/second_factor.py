"""Second-factor page, between the password and the account."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request

from authguard.flask import read_fields
from demo_app.answers import move_on, say
from demo_app.contact import fold
from demo_app.second_factor import recovery_hashes, strike
from demo_app.state import complete_sign_in, defenses, half_signed_in

second_factor = Blueprint("second_factor", __name__)
WRONG_CODE = "That code is wrong, or was used before."
FIRST = "Log in first."


@second_factor.route("/second-factor", methods=("GET", "POST"))
def page() -> Response:
    """Show the form, or finish a login with a recovery code."""
    name = half_signed_in()
    if name is None:
        return move_on("login.page", {}) if request.method == "GET" else say("login.html", {"message": FIRST}, 401)
    if request.method in ("GET", "HEAD"):
        return say("second_factor.html", {})
    key = fold(name)
    code = read_fields("code")["code"]
    if not defenses().factors.check_recovery(key, recovery_hashes(key), code, partial(strike, key)):
        return say("second_factor.html", {"message": WRONG_CODE}, 401)
    complete_sign_in()
    return move_on("account.page", {"name": name})
