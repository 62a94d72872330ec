"""H7: the dummy hash for unknown accounts has a password that everybody can read in the source."""

from __future__ import annotations

import re

from attacks.attack import Attack, Criterion
from attacks.client import Broken
from attacks.people import MALLORY
from attacks.target import Setup, Target

DUMMY_PASSWORD = "dummy-password-for-timing"
NAME, CONTACT, PASSWORD = "newcomer", "newcomer@example.com", "the newcomer has chosen this"
ADDRESS = "198.51.105.60"


def run(target: Target) -> int:
    """Log in to an account that doesn't exist yet, and count whether the session opens it once it does."""
    attacker = target.client(MALLORY.address)
    session = attacker.login(NAME, DUMMY_PASSWORD).cookie
    _sign_up(target)
    account = attacker.send("GET", "/account", headers={"Cookie": session})
    return int(account.right and account.document["contact"] == CONTACT)


def _sign_up(target: Target) -> None:
    newcomer = target.client(ADDRESS)
    started = newcomer.send("POST", "/signup", {"name": NAME, "contact": CONTACT, "password": PASSWORD})
    messages = newcomer.send("GET", "/outbox").document["messages"]
    code = re.search(r"\b[0-9]{6}\b", messages[0]["text"]) if messages else None
    if not started.right or code is None:
        raise Broken("the newcomer could not sign up")
    confirmed = newcomer.send("POST", "/confirm", {"signup": started.document["signup"], "code": code[0]})
    if not confirmed.right:
        raise Broken("the newcomer’s code was refused")


DUMMY = Attack(
    "H7",
    "the dummy’s password",
    "random-dummy",
    Criterion("accounts taken over", wins=1, loses=(0, 0)),
    run,
    Setup(proxied=True),
)
