"""Trial: a message to oneself. A script that asks again because no answer came gets no second one."""

from __future__ import annotations

import secrets

from flask import Blueprint, Response, request

from authguard.delivery import Channel, Message
from demo_app.answers import move_on, say
from demo_app.contact import read_contact
from demo_app.post import post
from demo_app.state import signed_in

trial = Blueprint("trial", __name__)


@trial.post("/account/trial")
def send() -> Response:
    """Send it to the account's own address, once for each ``Idempotency-Key`` of the account."""
    person = signed_in()
    if person is None:
        return say("login.html", {"message": "Log in first."}, 401)
    contact = read_contact(person.contact)
    key = f"trial {request.headers.get('Idempotency-Key') or secrets.token_urlsafe(16)}"
    text = "Messages from Lantern arrive."
    post().send("trial", Message(Channel(contact.channel), contact.address, text, "A trial message", key))
    return move_on("account.page", {"sent": True})
