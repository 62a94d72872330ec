"""Code login: a code instead of a password."""

from __future__ import annotations

from flask import Blueprint, Response, request

from authguard.flask import read_fields
from demo_app.accounts import find_account
from demo_app.answers import move_on, say
from demo_app.flow import WRONG_CODE, ask, asked_for, is_right, waiting, whom
from demo_app.state import sign_in

code_login = Blueprint("code_login", __name__)


@code_login.route("/code-login", methods=("GET", "POST"))
def page() -> Response:
    """Show the form, or send a code to the account's own address; the answer doesn't say whether there is one."""
    if request.method in ("GET", "HEAD"):
        return say("code_login.html", {})
    identifier = read_fields("identifier")["identifier"].strip()
    return move_on("code_login.enter", ask("login", identifier, whom("login", find_account(identifier))))


@code_login.route("/code-login/enter", methods=("GET", "POST"))
def enter() -> Response:
    """Show the form for the code, or log in who enters it."""
    if request.method in ("GET", "HEAD"):
        return say("enter.html", {"wait": waiting("login"), "again": "code_login.page"})
    to = asked_for("login", read_fields("identifier")["identifier"])
    account = find_account(to)
    if not is_right("login", to, whom("login", account)) or account is None:
        return say("enter.html", {"message": WRONG_CODE, "wait": waiting("login"), "again": "code_login.page"}, 400)
    sign_in(account.name)
    return move_on("account.page", {"name": account.name})
