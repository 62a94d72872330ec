"""Verifier: the one place where a password is checked, whichever route it came by."""

from __future__ import annotations

from demo_app.accounts import find_account
from demo_app.contact import fold
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
    gate = OpenGate() if defenses().exempt() else defenses().gate
    with gate.attempt("login", id=identifier, secret=password) as attempt:
        account = find_account(identifier)
        if not defenses().passwords.verify(account.password_hash if account else None, password):
            return None
        if account and has_second_factor(fold(account.name)):
            attempt.partial()
        else:
            attempt.succeed()
    return account.name if account else fold(identifier)
