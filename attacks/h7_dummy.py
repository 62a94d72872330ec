"""H7: the dummy hash for unknown accounts has a password that everybody can read in the source."""

from __future__ import annotations

from attacks.attack import Attack, Criterion
from attacks.browser import Browser
from attacks.client import Broken
from attacks.people import MALLORY
from attacks.signups import sign_up
from attacks.target import Setup, Target

DUMMY_PASSWORD = "dummy-password-for-timing"
NAME, CONTACT = "newcomer", "newcomer@example.com"
ADDRESS = "198.51.105.60"


def run(target: Target) -> int:
    """Log in to an account that doesn't exist yet, and count whether the session opens it once it does."""
    attacker = target.client(MALLORY.address)
    session = attacker.login(NAME, DUMMY_PASSWORD).cookie
    _sign_up(target)
    account = attacker.send("GET", "/account", headers={"Cookie": session})
    return int(account.right and account.document["contact"] == CONTACT)


def _sign_up(target: Target) -> None:
    if not sign_up(Browser(target.client(ADDRESS)), target, NAME, CONTACT).right:
        raise Broken("the newcomer could not sign up")


DUMMY = Attack(
    "H7",
    "the dummy’s password",
    "random-dummy",
    Criterion("accounts taken over", wins=1, loses=(0, 0)),
    run,
    Setup(proxied=True),
)
