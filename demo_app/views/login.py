"""Login and sign-out pages."""

from __future__ import annotations

from flask import Blueprint, Response, request, session

from authguard.flask import read_fields
from demo_app.answers import move_on, say
from demo_app.state import half_signed_in, sign_in
from demo_app.verifier import prove, refuse

login = Blueprint("login", __name__)


@login.route("/login", methods=("GET", "POST", "PUT"), strict_slashes=False)
def page() -> Response:
    """Show the form, or check a user name or contact with its password."""
    if request.method in ("GET", "HEAD"):
        return say("login.html", {})
    fields = read_fields("identifier", "password")
    name = prove(fields["identifier"], fields["password"])
    if name is None:
        return refuse(fields["identifier"])
    sign_in(name)
    if half_signed_in():
        return move_on("second_factor.page", {"name": name, "second_factor": True})
    return move_on("account.page", {"name": name})


@login.post("/logout")
def leave() -> Response:
    """End the session."""
    session.clear()
    return move_on("home.page", {})
