"""Contact change: another address for an account's messages, once its owner has proven to be it, and to get them.

Whoever has the session alone, a stolen one, could move the account to a mailbox of theirs and reset the password there.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from authguard.flask import read_fields
from demo_app.accounts import Account, set_contact
from demo_app.answers import move_on, say
from demo_app.codes import codes
from demo_app.contact import fold, read_contact
from demo_app.flow import WRONG_CODE, Whom, ask, asked_for, end, is_right, waiting
from demo_app.state import defenses, signed_in
from demo_app.verifier import offered, prove

contact_change = Blueprint("contact_change", __name__)
WRONG_PASSWORD = "That isn’t your password."


@contact_change.route("/account/contact", methods=("GET", "POST"))
def page() -> Response:
    """Show the form, or check the password, within the login's budget, and send a code to the new address."""
    person = signed_in()
    if person is None:
        return (
            move_on("login.page", {})
            if request.method == "GET"
            else say("login.html", {"message": "Log in first."}, 401)
        )
    if request.method in ("GET", "HEAD"):
        return say("contact.html", {})
    fields = read_fields("contact", "password")
    try:
        contact = read_contact(fields["contact"])
    except ValueError:
        return say("contact.html", {"message": "Give an e-mail address or a phone number with its country code."}, 400)
    if prove(person.name, fields["password"]) is None:
        said = {"message": WRONG_PASSWORD, "contact": fields["contact"], **offered(person.name)}
        return say("contact.html", said, 401)
    target = Whom("contact", fold(person.name), contact.address)
    return move_on("contact_change.enter", ask("contact", contact.address, target))


@contact_change.route("/account/contact/confirm", methods=("GET", "POST"))
def enter() -> Response:
    """Show the form for the code, or change the address."""
    person = signed_in()
    if person is None:
        return say("login.html", {"message": "Log in first."}, 401)
    if request.method in ("GET", "HEAD"):
        return say("enter.html", {"wait": waiting("contact"), "again": "contact_change.page"})
    to = asked_for("contact", read_fields("contact")["contact"])
    right = is_right("contact", to, Whom("contact", fold(person.name), to))
    changed = _change(person, to) if right else None
    again = {"wait": waiting("contact"), "again": "contact_change.page"}
    return changed or say("enter.html", {"message": WRONG_CODE, **again}, 400)


def follow_contact_link(token: str) -> Response | None:
    """Change the address by the link in a message, in the browser in which its owner asked for that; else ``None``."""
    person, to, reader = signed_in(), asked_for("contact", ""), codes().read_link(token)
    if person is None or not to or reader is None or reader.account != fold(person.name):
        return None
    if codes().follow_link("contact", token, deliver=to) is None:
        return None
    end()
    return _change(person, to)


def _change(person: Account, to: str) -> Response | None:
    if not set_contact(person.name, to, defenses().mailbox(to)):
        return None
    codes().forget_devices(fold(person.name))
    return move_on("account.page", {"name": person.name, "contact": to})
