"""Home: what this is, and who has an account."""

from __future__ import annotations

from flask import Blueprint, Response

from demo_app.answers import say
from demo_app.seeds import SEEDS

home = Blueprint("home", __name__)


@home.get("/")
def page() -> Response:
    """Show the seeded accounts."""
    accounts = [
        {"name": seed.name, "contact": seed.contact, "password": seed.password, "recovery": seed.recovery}
        for seed in SEEDS
    ]
    return say("home.html", {"accounts": accounts})
