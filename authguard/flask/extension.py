"""The extension: ``AuthGuard(app)``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import Flask, g

from authguard.delivery import Sender
from authguard.errors import (
    ConfigurationError,
    IdentityError,
)
from authguard.events import Observer
from authguard.flask.codes import RequestCodes
from authguard.flask.commands import commands
from authguard.flask.denial import Denied
from authguard.flask.devices import RequestDevices
from authguard.flask.factors import RequestFactors
from authguard.flask.faults import answer_faults
from authguard.flask.lacking import MISSING, refuse_what_no_request_has
from authguard.flask.limited import LimitedViews
from authguard.flask.messages import Messages
from authguard.flask.passwords import RequestPasswords, Tried
from authguard.flask.state import NAME, Parts, build_state, current_state
from authguard.flask.visits import read_visit, refuse, remember_success
from authguard.flask.whoami import whoami
from authguard.guard import Attempt, Guard, Offer
from authguard.identity import Resolver
from authguard.login.challenge import Challenger
from authguard.login.confirmation import Confirmation
from authguard.login.notices import Deliver
from authguard.login.passwords import Passwords
from authguard.otp.codes import Codes
from authguard.spend import Ledger

P = ParamSpec("P")
R = TypeVar("R")


class AuthGuard:
    """Guards the verifiers of a Flask application.

    One object may serve several applications; what belongs to one of them is kept in ``app.extensions``.
    ``observers`` receive every event. ``passwords`` replaces the default Argon2id. ``resolver`` returns the id of the
    account behind an identifier, so that a user name and an e-mail address of one account share its budget.
    ``on_notice`` is called, within the application's context and on a thread of its own, when the owner of an account
    should hear that somebody uses up its tries. ``challenger`` replaces the delay that strangers are offered instead of
    waiting for limits. ``messages`` say how one-time codes are sent.
    """

    def __init__(
        self,
        app: Flask | None = None,
        *,
        observers: Iterable[Observer] = (),
        passwords: Passwords | None = None,
        resolver: Resolver | None = None,
        on_notice: Deliver | None = None,
        challenger: Challenger | None = None,
        messages: Messages | None = None,
    ) -> None:
        self._parts = Parts(tuple(observers), passwords, resolver, on_notice, challenger, messages)
        self._limited = LimitedViews()
        if app is not None:
            self.init_app(app)

    def init_app(self, app: Flask) -> None:
        """Set ``app`` up from its ``AUTHGUARD_*`` configuration and its ``authguard.toml``.

        Raises ``ConfigurationError`` with one sentence that says what to change.
        """
        if NAME in app.extensions:
            raise ConfigurationError("this application already has an AuthGuard; initialize it once")
        app.extensions[NAME] = state = build_state(app, self._parts)
        app.cli.add_command(commands)
        if state.config.debug_endpoint is not None:
            app.add_url_rule(state.config.debug_endpoint, "authguard.whoami", whoami)
        self._limited.look_over(app)
        answer_faults(app)

    @property
    def guard(self) -> Guard:
        """The current application's guard, free of any framework."""
        return current_state().guard

    @property
    def passwords(self) -> RequestPasswords:
        """The current application's passwords; the client of the request at hand takes the hash slots."""
        state = current_state()
        return RequestPasswords(state.passwords, state.subjects, _active(), state.unsettled.tell)

    @property
    def devices(self) -> RequestDevices:
        """The current application's known devices; that of the request at hand among them."""
        state = current_state()
        return RequestDevices(state.devices, state.subjects)

    @property
    def codes(self) -> RequestCodes:
        """The current application's one-time codes; raises ``ConfigurationError`` where nothing sends messages."""
        return RequestCodes(current_state(), _codes())

    @property
    def sender(self) -> Sender:
        """The current application's sender, for messages without a code; raises ``ConfigurationError`` like codes."""
        return _codes().sender

    @property
    def ledger(self) -> Ledger:
        """The current application's ledger of ``[spend]``: that of its codes, unless ``messages`` say otherwise."""
        return current_state().ledger

    @property
    def factors(self) -> RequestFactors:
        """The second factors of the current application's accounts."""
        return RequestFactors(current_state())

    def attempt(self, policy: str, *, id: str | None, secret: str | None = None) -> Attempt:
        """Begin an attempt on a verifier, to be used in a ``with`` block; charged before the block begins.

        ``id`` is the identifier as typed, ``secret`` what is tried (kept as two bytes of a keyed hash: the same guess
        again is not a second charge). Inside another attempt of the same policy on the same identifier with the same
        secret, the two are one. Raises :class:`Denied`, which Flask answers: 429, 503, or 400 for an identifier that is
        blank, doubled, no text or can't be read. ``succeed()`` makes the browser a known device of the account.
        """
        if not (_is_text(id) and _is_text(secret)):  # a JSON body may hold anything
            raise refuse(current_state(), policy, "not_text")
        key = (policy, id, secret)
        active = _active()
        if key in active:
            return active[key]
        attempt = self._begin(policy, id or "", secret)
        attempt.when_left(lambda: active.pop(key, None))
        active[key] = attempt
        return attempt

    def offer(self, policy: str, *, id: str) -> Offer | None:
        """Return a challenge for the page that says "wrong": who solves it has one try, whatever strangers do.

        Where strangers have used up an account's tries under another of its names, a right password is answered as a
        wrong one. Offer this to all whose password was wrong, or it would tell who has an account. ``None`` where no
        challenge would open a try. Raises :class:`Denied` for an ``id`` that :meth:`attempt` refuses.
        """
        state = current_state()
        try:
            return state.door.offer(policy, read_visit(state, policy, id))
        except IdentityError as error:
            raise refuse(state, policy, error.code) from None

    def limit(
        self, policy: str, *, id: Callable[[], str | None] | None = None
    ) -> Callable[[Callable[P, R]], Callable[P, R]]:
        """Decorate a view whose every call counts, whatever its method; ``id`` returns the identifier to count.

        For actions that prove nothing: asking for a message, a search. A verifier is guarded with :meth:`attempt`.
        It stands below the route (``@app.post``), which registers what it decorates; above it, the view would be called
        without it, and the first request raises ``ConfigurationError``.
        """

        if callable(policy):
            raise ConfigurationError('limit() takes the name of a policy; write @guard.limit("otp-send")')

        def decorate(view: Callable[P, R]) -> Callable[P, R]:
            if isinstance(view, type):
                raise ConfigurationError("limit() decorates functions; on a class view, put it into its `decorators`")

            @wraps(view)
            def limited(*args: P.args, **kwargs: P.kwargs) -> R:
                self.count(policy, id=id() or "" if id else None)
                # Not ensure_sync: Flask has already wrapped an async view by the time it calls this one.
                return view(*args, **kwargs)

            self._limited.add(policy, view, limited)
            return limited

        return decorate

    def count(self, policy: str, *, id: str | None = None) -> None:
        """Count one action that proves nothing; raises :class:`Denied` like :meth:`attempt`."""
        state = current_state()
        try:
            visit = read_visit(state, policy, id)
        except IdentityError as error:
            counted = state.guard.refuse(policy, error.code)
        else:
            counted = state.door.count(policy, visit)
        if counted.refused is not None:
            if counted.refused.code == MISSING:
                refuse_what_no_request_has(state.guard.policy(policy), id)
            raise Denied(counted.refused)

    @contextmanager
    def confirmation(self, policy: str = "signup-confirm", *, id: str) -> Iterator[Confirmation]:
        """Hold the place of a new account while it is made, after its owner has confirmed; for a ``with`` block.

        ``id`` is the mailbox or number confirmed. Call ``keep()`` on what it gives once the account is there; a block
        left without, by an exception too, gives the place back. Raises :class:`Denied` where the mailbox, or its
        domain, has all the accounts it may.
        """
        confirmation = Confirmation(self._begin(policy, id, None))
        try:
            yield confirmation
        finally:
            confirmation.give_back()

    def _begin(self, policy: str, identifier: str, secret: str | None) -> Attempt:
        state = current_state()
        try:
            visit = read_visit(state, policy, identifier)
        except IdentityError as error:
            attempt = state.guard.refuse(policy, error.code)
        else:
            attempt = state.door.attempt(policy, visit, secret)
            remember_success(state, policy, visit, attempt)
        if attempt.refused is not None:
            if attempt.refused.code == MISSING:
                refuse_what_no_request_has(state.guard.policy(policy), identifier)
            raise Denied(attempt.refused, secret)
        return attempt


def _codes() -> Codes:
    codes = current_state().codes
    if codes is None:
        raise ConfigurationError("codes need a way to be sent; pass messages=Messages(...) to AuthGuard")
    return codes


def _active() -> dict[Tried, Attempt]:
    active: dict[Tried, Attempt] = g.setdefault("_authguard_attempts", {})
    return active


def _is_text(value: object) -> bool:
    return value is None or isinstance(value, str)
