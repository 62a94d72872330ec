"""Sign-up pages: ask for an account, then confirm it with the code that was sent."""

from __future__ import annotations

import time
from collections.abc import Callable

from flask import Blueprint, Response, request, session
from werkzeug.exceptions import Conflict

from authguard.flask import read_fields
from demo_app.accounts import Account, account_named, add_account, read_name
from demo_app.answers import move_on, say
from demo_app.contact import read_contact
from demo_app.database import transaction
from demo_app.flow import WRONG_CODE, ask, is_right, waiting
from demo_app.signups import signup_contact, start_signup, take_signup, whose
from demo_app.state import defenses, sign_in

signup = Blueprint("signup", __name__)
SHORTEST_PASSWORD = 15
"""Characters: NIST SP 800-63B-4 section 3.1.1.2, for a password without a second factor."""


@signup.route("/signup", methods=("GET", "POST"))
def page() -> Response:
    """Show the form, or send a code to the contact given; the answer doesn't say whether it has an account."""
    if request.method in ("GET", "HEAD"):
        return say("signup.html", {"shortest": SHORTEST_PASSWORD})
    fields = read_fields("name", "contact", "password")
    try:
        name, contact = read_name(fields["name"]), read_contact(fields["contact"])
    except ValueError:
        return _refuse(fields, "Give a user name, and an e-mail address or a phone number with its country code.")
    if len(fields["password"]) < SHORTEST_PASSWORD:
        return _refuse(fields, f"Choose a password of at least {SHORTEST_PASSWORD} characters.")
    # Counted before the password costs anything.
    asked = ask("signup", contact.address, whose(contact.address))
    password_hash = defenses().passwords.hash(fields["password"])
    session["signup"] = started = start_signup(Account(name, contact.address, password_hash))
    return move_on("signup.confirm", {"signup": started, **asked})


@signup.route("/confirm", methods=("GET", "POST"))
def confirm() -> Response:
    """Show the form; or make the account if the code is right, or let its owner into the one there was already."""
    if request.method in ("GET", "HEAD"):
        return say("confirm.html", {"wait": waiting("signup")})
    started = read_fields("signup")["signup"] or session.get("signup", "")
    contact = signup_contact(started)
    name = _confirm(started, contact) if contact is not None else None
    if name is None:
        return say("confirm.html", {"message": WRONG_CODE, "wait": waiting("signup")}, 400)
    sign_in(name)
    return move_on("account.page", {"name": name})


def _confirm(started: str, contact: str) -> str | None:
    """Return the name of the account that the code in the request opens, if it is right."""
    target = whose(contact)
    if not is_right("signup", contact, target):
        return None
    proven, owner = take_signup(started), account_named(target.account or "")
    if owner is not None:
        return owner.name
    return _make(proven.name, proven.contact, lambda: proven.password_hash) if proven is not None else None


@signup.route("/signup/finish", methods=("GET", "POST"))
def finish() -> Response:
    """Make the account of who came by the link of a sign-up message, with a name and password of their own choice."""
    proven = session.get("proven")
    if not proven or time.time() >= proven["until"]:
        return move_on("signup.page", {})
    if request.method in ("GET", "HEAD"):
        return say("finish.html", {"shortest": SHORTEST_PASSWORD})
    fields = read_fields("name", "password")
    try:
        name = read_name(fields["name"])
    except ValueError:
        return say("finish.html", {"message": "Give a user name.", "shortest": SHORTEST_PASSWORD}, 400)
    if len(fields["password"]) < SHORTEST_PASSWORD:
        message = f"Choose a password of at least {SHORTEST_PASSWORD} characters."
        return say("finish.html", {"message": message, "shortest": SHORTEST_PASSWORD}, 400)
    made = _make(name, proven["contact"], lambda: defenses().passwords.hash(fields["password"]))
    sign_in(made)
    return move_on("account.page", {"name": made})


def _make(name: str, contact: str, hash_password: Callable[[], str]) -> str:
    """Make an account whose contact is proven, and return the name it got.

    The password is hashed where there is a place alone: who came by a link once could have it done without end.
    """
    with defenses().gate.confirmation(id=contact) as place:
        account = Account(name, contact, hash_password())
        with transaction() as connection:
            made = add_account(connection, account, defenses().mailbox(contact))
        if made is None:
            raise Conflict("This mailbox has an account already. Log in with a code, and it is yours.")
        place.keep()
    return made


def _refuse(fields: dict[str, str], message: str) -> Response:
    typed = {"name": fields["name"], "contact": fields["contact"]}
    return say("signup.html", {"message": message, "shortest": SHORTEST_PASSWORD, **typed}, 400)
