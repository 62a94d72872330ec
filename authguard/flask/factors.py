"""Factors of a request: second factors of the account whose first one was right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flask import request

from authguard.errors import IdentityError
from authguard.flask.denial import Denied
from authguard.flask.state import State
from authguard.flask.visits import Visitor, current_request, refuse, visit_of
from authguard.otp.authenticator_app import AuthenticatorApp
from authguard.otp.checking import Checked
from authguard.otp.factors import SECOND_FACTOR, Factors


class RequestFactors:
    """:class:`~authguard.otp.factors.Factors` bound to the request at hand.

    ``account`` is the account's own id: what the resolver returns for it, or without a resolver the identifier as its
    owner types it. A right code makes the browser a known device of it. Raises :class:`~authguard.flask.Denied` where
    this client may not try now.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._factors = Factors(state.resilient, state.config.pseudonymizer, state.observer)

    def check_app(self, account: str, app: AuthenticatorApp | None, code: str) -> bool:
        """Return whether the account's app shows ``code``; true once for each. ``None``: there is no app."""
        return self._answer(self._factors.check_app(self._entrance("app", account), account, app, code), code)

    def check_recovery(self, account: str, hashes: Sequence[str], code: str, strike: Callable[[str], bool]) -> bool:
        """Return whether ``code`` is one of the account's recovery codes; ``strike`` takes its hash off the list."""
        entrance = self._entrance("recovery", account)
        return self._answer(self._factors.check_recovery(entrance, account, hashes, code, strike), code)

    def _entrance(self, kind: str, account: str) -> Visitor:
        try:
            subject = self._state.subjects.authenticator(request, kind, account)
        except IdentityError as error:
            raise refuse(self._state, SECOND_FACTOR, error.code) from None
        return Visitor(self._state, visit_of(self._state, subject, current_request()))

    @staticmethod
    def _answer(checked: Checked, code: str) -> bool:
        if checked.refused is not None:
            raise Denied(checked.refused, code)
        return checked.right
