"""Codes of a request: the browser's cookie, and refusals as the answers that Flask gives."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from flask import Response, after_this_request, g, request

from authguard.clock import SECOND
from authguard.delivery import Channel
from authguard.errors import IdentityError
from authguard.flask.denial import Denied
from authguard.guard import Attempt
from authguard.limits import Outcome
from authguard.login.door import Door, Visit
from authguard.otp import Also, Binding, Entrance, Guess, Reader, Sent
from authguard.otp.codes import VERIFY, Codes
from authguard.otp.destination import channel_of
from authguard.policy import Subject

COOKIE = "__Host-authguard-browser"
"""The cookie that ties a challenge to the browser that asked for it. It names no account and proves nothing else."""
_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)
_CACHE = "_authguard_browser"

Enter = Callable[[str, str], Entrance]
"""Returns the way to the decisions of a policy about an identifier; raises ``IdentityError``."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """A request at the door, with the device and the solved challenge that it may bring."""

    door: Door
    visit: Visit
    began: Callable[[Attempt], None]

    @property
    def subject(self) -> Subject:
        """See :class:`~authguard.otp.Entrance`."""
        device = self.visit.device
        return self.visit.subject if device is None else device.take(self.visit.subject)

    def count(self, policy: str, also: Also) -> Attempt:
        """See :class:`~authguard.otp.Entrance`."""
        return self.door.count(policy, self.visit, also)

    def attempt(self, policy: str, secret: str, also: Also) -> Attempt:
        """See :class:`~authguard.otp.Entrance`."""
        attempt = self.door.attempt(policy, self.visit, secret, also)
        self.began(attempt)
        return attempt


class RequestCodes:
    """:class:`~authguard.otp.codes.Codes` bound to the request at hand."""

    def __init__(
        self, codes: Codes, enter: Enter, refuse: Callable[[str, str], Denied], welcome: Callable[[Reader], None]
    ) -> None:
        self._codes = codes
        self._enter = enter
        self._refuse = refuse
        self._welcome = welcome

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
        yet, as at sign-up, ``deliver`` is what was typed. ``token`` is that of the code that this one replaces. The
        channel is told by ``to``, unless given. Raises :class:`~authguard.flask.Denied` where this client may not ask
        now, and ``Overloaded``, answered 503, where no message may be sent at all.
        """
        try:
            entrance = self._enter(policy, to)
        except IdentityError as error:
            raise self._refuse(policy, error.code) from None
        binding = Binding(purpose, to, account, deliver, self._mint())
        sent = self._codes.sending.send(policy, binding, entrance, channel or channel_of(to), token)
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
        try:
            entrance = self._enter(VERIFY, to)
        except IdentityError as error:
            raise self._refuse(VERIFY, error.code) from None
        binding = Binding(purpose, to, account, deliver, _browser() or "")
        checked = self._codes.checking.check(Guess(VERIFY, binding, entrance, token, code, outcome))
        if checked.refused is not None:
            raise Denied(checked.refused, code)
        return checked.right

    def read_link(self, token: str) -> Reader | None:
        """Return whom a link speaks for, ``None`` for one that is not good; uses nothing up.

        For the page with a button. It must not act by itself: mail scanners open links before people do.
        """
        return self._codes.following.read(token)

    def follow_link(self, purpose: str, token: str, *, deliver: str | None) -> Reader | None:
        """Use a link up, when its button is pressed, and return whom it speaks for: then let that reader in, here.

        ``deliver`` is where a message to that reader goes today. Makes the browser a known device of the account.
        Acts in a POST alone: in any other request it returns ``None`` and uses nothing up. Raises
        :class:`~authguard.flask.Denied` where the store can't be asked.
        """
        if request.method != "POST":
            return None
        followed = self._codes.following.follow(purpose, token, deliver)
        if followed.refused is not None:
            raise Denied(followed.refused)
        if followed.reader is not None:
            self._welcome(followed.reader)
        return followed.reader

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


def _browser() -> str | None:
    kept: str | None = g.get(_CACHE)
    if kept is not None:
        return kept
    found = request.cookies.get(COOKIE, "")
    return found if _ID.fullmatch(found) else None
