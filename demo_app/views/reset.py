"""Reset: a new password for who has forgotten the old one and gets the account's messages."""

from __future__ import annotations

import time

from flask import Blueprint, Response, request, session

from authguard.flask import read_fields
from demo_app.accounts import find_account, set_password
from demo_app.answers import move_on, say
from demo_app.codes import codes
from demo_app.contact import fold
from demo_app.flow import WRONG_CODE, ask, asked_for, is_right, waiting, whom
from demo_app.state import defenses, half_signed_in, sign_in, signed_in
from demo_app.views.signup import SHORTEST_PASSWORD

reset = Blueprint("reset", __name__)
TOO_SHORT = f"Choose a password of at least {SHORTEST_PASSWORD} characters."


@reset.route("/forgot", methods=("GET", "POST"))
def page() -> Response:
    """Show the form, or send a code to the account's own address; the answer doesn't say whether there is one."""
    if request.method in ("GET", "HEAD"):
        return say("forgot.html", {})
    identifier = read_fields("identifier")["identifier"].strip()
    return move_on("reset.enter", ask("reset", identifier, whom("reset", find_account(identifier))))


@reset.route("/reset", methods=("GET", "POST"))
def enter() -> Response:
    """Show the form for the code and a new password, or set it."""
    if request.method in ("GET", "HEAD"):
        return say("reset.html", {"wait": waiting("reset"), "shortest": SHORTEST_PASSWORD})
    fields = read_fields("identifier", "password")
    password = fields["password"]
    # Before the code is used up: a password that can't be taken costs nobody their code.
    if len(password) < SHORTEST_PASSWORD:
        return say("reset.html", {"message": TOO_SHORT, "wait": waiting("reset"), "shortest": SHORTEST_PASSWORD}, 400)
    to = asked_for("reset", fields["identifier"])
    account = find_account(to)
    if not is_right("reset", to, whom("reset", account)) or account is None:
        return say("reset.html", {"message": WRONG_CODE, "wait": waiting("reset"), "shortest": SHORTEST_PASSWORD}, 400)
    return _renew(account.name, password)


@reset.route("/account/password", methods=("GET", "POST"))
def choose() -> Response:
    """Let who came by the link of a reset message choose a new password."""
    if half_signed_in():
        return move_on("second_factor.page", {"second_factor": True})
    person = signed_in()
    if person is None or time.time() >= session.get("may_choose", 0):
        return move_on("reset.page", {})
    if request.method in ("GET", "HEAD"):
        return say("choose.html", {"shortest": SHORTEST_PASSWORD})
    password = read_fields("password")["password"]
    if len(password) < SHORTEST_PASSWORD:
        return say("choose.html", {"message": TOO_SHORT, "shortest": SHORTEST_PASSWORD}, 400)
    return _renew(person.name, password)


def _renew(name: str, password: str) -> Response:
    set_password(name, defenses().passwords.hash(password))
    codes().forget_devices(fold(name))
    sign_in(name)
    return move_on("account.page", {"name": name})
