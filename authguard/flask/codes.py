"""Codes of a request: the browser's cookie, and refusals as the answers that Flask gives."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import replace

from flask import Response, after_this_request, g, request

from authguard.clock import SECOND
from authguard.delivery import Channel
from authguard.errors import ConfigurationError, IdentityError
from authguard.flask.denial import Denied
from authguard.flask.devices import RequestDevices
from authguard.flask.state import State
from authguard.flask.subject import check_account
from authguard.flask.visits import Visitor, current_request, read_visit, refuse
from authguard.limits import Outcome
from authguard.otp import Binding, Guess, Reader, Sent
from authguard.otp.codes import VERIFY, Codes
from authguard.otp.destination import channel_for
from authguard.policy import Scope, Subject

COOKIE = "__Host-authguard-browser"
"""The cookie that ties a challenge to the browser that asked for it. It names no account and proves nothing else."""
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_CACHE = "_authguard_browser"


class RequestCodes:
    """:class:`~authguard.otp.codes.Codes` bound to the request at hand."""

    def __init__(self, state: State, codes: Codes) -> None:
        self._state = state
        self._codes = codes

    def send(
        self,
        purpose: str,
        to: str,
        *,
        deliver: str | None,
        account: str | None,
        policy: str = "otp-send",
        channel: Channel | None = None,
        token: str | None = None,
    ) -> Sent:
        """Send a code for ``purpose``, a word of your own, and return the token for the form that takes it.

        ``to`` is what was typed; ``account`` the id of the account that it names and ``deliver`` that account's own
        address, both ``None`` where there is none: the answer and its time are the same. Where there is no account
        yet, as at sign-up, ``deliver`` is what was typed. ``token`` is that of the code that this one replaces. Unless
        given, the channel is the only one there is; of two it is SMS for a phone number in ``to`` and else mail.
        Raises :class:`~authguard.flask.Denied` where this client may not ask now, ``Overloaded``, answered 503, where
        no message may be sent at all, and ``ConfigurationError`` for a ``channel`` over which nothing delivers.
        """
        by = self._choose(channel, to)
        entrance = self._enter(policy, to, account)
        if account is not None and not entrance.leads_to(account):
            # Whoever reads it gets in nowhere by it, so it uses nothing up of what may be asked for in their name.
            entrance = _with(entrance, {Scope.ID: f"{entrance.subject.values[Scope.ID]} for account:{account}"})
        binding = self._bind(purpose, to, account, deliver, self._mint())
        sent = self._codes.sending.send(policy, binding, entrance, by, token)
        if sent.refused is not None:
            raise Denied(sent.refused)
        return sent

    def verify(
        self,
        purpose: str,
        token: str,
        code: str,
        *,
        to: str,
        deliver: str | None,
        account: str | None,
        outcome: Outcome = Outcome.SUCCESS,
    ) -> bool:
        """Return whether ``code`` is right: true once, and nothing says why it is not.

        ``purpose``, ``to``, ``deliver`` and ``account`` must be what they were when the code was sent. A right code
        makes the browser a known device of the account, unless ``outcome`` is ``PARTIAL``: another factor is still to
        come then. Raises :class:`~authguard.flask.Denied` where this client may not try now.
        """
        entrance = self._enter(VERIFY, to, account)
        binding = self._bind(purpose, to, account, deliver, _browser() or "")
        checked = self._codes.checking.check(Guess(VERIFY, binding, entrance, token, code, outcome))
        if checked.refused is not None:
            raise Denied(checked.refused, code)
        return checked.right

    def read_link(self, token: str) -> Reader | None:
        """Return whom a link speaks for, ``None`` for one that is not good; uses nothing up.

        For the page with a button. It must not act by itself: mail scanners open links before people do.
        """
        return self._codes.following.read(token)

    def follow_link(
        self, purpose: str, token: str, *, deliver: str | None, outcome: Outcome = Outcome.SUCCESS
    ) -> Reader | None:
        """Use a link up, when its button is pressed, and return whom it speaks for: then let that reader in, here.

        ``deliver`` is where a message to that reader goes today. Makes the browser a known device of the account,
        unless ``outcome`` is ``PARTIAL``: another factor is still to come then. Acts in a POST alone: in any other
        request it returns ``None`` and uses nothing up. Raises :class:`~authguard.flask.Denied` where the store can't
        be asked.
        """
        if request.method != "POST":
            return None
        followed = self._codes.following.follow(purpose, token, deliver, self._find_reader(deliver))
        if followed.refused is not None:
            raise Denied(followed.refused)
        if followed.reader is not None and outcome is Outcome.SUCCESS:
            self._welcome(followed.reader, followed.at)
        return followed.reader

    def _choose(self, channel: Channel | None, to: str) -> Channel:
        channels = self._codes.sender.channels
        if channel is None:
            return channel_for(to, channels, self._codes.foundation.region)
        if channel not in channels:
            raise ConfigurationError(f"nothing delivers over {channel}; give Messages {channel}=, or another channel=")
        return channel

    def _enter(self, policy: str, identifier: str, account: str | None) -> Visitor:
        try:
            visitor = Visitor(self._state, read_visit(self._state, policy, identifier))
        except IdentityError as error:
            raise refuse(self._state, policy, error.code) from None
        if account is not None and not self._state.subjects.resolves:
            # No resolver says which names are one account's, but this call does: they share its guesses.
            return _with(visitor, {Scope.AUTHENTICATOR: f"account:{account}"})
        return visitor

    @staticmethod
    def _bind(purpose: str, to: str, account: str | None, deliver: str | None, browser: str) -> Binding:
        return Binding(purpose, to, None if account is None else check_account(account), deliver, browser)

    def _find_reader(self, deliver: str | None) -> Subject:
        """Return who follows a link: whoever could have typed where its message went, or else an address alone."""
        try:
            return Visitor(self._state, read_visit(self._state, VERIFY, deliver or "")).subject
        except IdentityError:
            return Subject(self._state.subjects.addresses(current_request()))

    def _welcome(self, reader: Reader, at: int) -> None:
        """Make the browser a known device of the reader's account, where accounts have the names that devices use."""
        subjects = self._state.subjects
        own = reader.account if subjects.resolves else reader.to
        if own is not None:
            devices = RequestDevices(self._state.devices, subjects)
            devices.remember(subjects.own_id(own), at)

    def _mint(self) -> str:
        """Return the browser's id, a new one where it has none, and have the answer keep it there."""
        browser = _browser() or secrets.token_hex(16)
        if _CACHE not in g:
            setattr(g, _CACHE, browser)
            life = self._codes.foundation.rules.challenge_life // SECOND

            @after_this_request
            def set_cookie(response: Response) -> Response:
                response.set_cookie(COOKIE, browser, max_age=life, secure=True, httponly=True, samesite="Lax", path="/")
                return response

        return browser


def _with(visitor: Visitor, values: Mapping[Scope, str]) -> Visitor:
    subject = visitor.visit.subject
    subject = replace(subject, values={**subject.values, **values})
    return replace(visitor, visit=visitor.visit._replace(subject=subject))


def _browser() -> str | None:
    kept: str | None = g.get(_CACHE)
    if kept is not None:
        return kept
    found = request.cookies.get(COOKIE, "")
    return found if _ID.fullmatch(found) else None
