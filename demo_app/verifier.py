"""Verifier: the one place where a password is checked, whichever route it came by."""

from __future__ import annotations

from typing import Any

from flask import Response

from authguard.http import describe_offer
from demo_app.accounts import find_account
from demo_app.answers import say
from demo_app.contact import fold
from demo_app.gate import Gate
from demo_app.open_gate import OpenGate
from demo_app.second_factor import has_second_factor
from demo_app.state import defenses

WRONG_LOGIN = "That name and password don’t belong together."


def prove(identifier: str, password: str) -> str | None:
    """Return the name that ``identifier`` and ``password`` prove, or ``None``.

    The guard stands here rather than at a route, so that no other way to the same check goes around it. Relies on
    ``verify`` being false wherever there is no account, as its contract says. Whoever lets somebody in has to ask
    whether another factor is to come.
    """
    with _gate().attempt("login", id=identifier, secret=password) as attempt:
        account = find_account(identifier)
        if not defenses().passwords.verify(account.password_hash if account else None, password):
            return None
        if account and has_second_factor(fold(account.name)):
            attempt.partial()
        else:
            attempt.succeed()
    return account.name if account else fold(identifier)


def refuse(identifier: str) -> Response:
    """Answer that ``identifier`` and a password don't belong together, with an offer to have it looked at again.

    Everybody gets that offer whom this is told: strangers may have used up the account under another of its names, a
    right password is answered so then, and who is told apart from others learns that the names are one account's.
    """
    return say("login.html", {"message": WRONG_LOGIN, "identifier": identifier, **offered(identifier)}, 401)


def offered(identifier: str) -> dict[str, Any]:
    """Return the challenge for whoever is told that the password is wrong, as part of an answer; {} without one."""
    offer = _gate().offer("login", id=identifier)
    return {"challenge": describe_offer(offer)} if offer else {}


def _gate() -> Gate:
    return OpenGate() if defenses().exempt() else defenses().gate
