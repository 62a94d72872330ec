"""Codes: how the demo sends and checks one-time codes; authguard's, or naive ones in their place."""

from __future__ import annotations

from typing import Protocol, cast

from flask import Flask, current_app

from authguard.flask import AuthGuard, Messages
from authguard.limits import Outcome
from authguard.otp import EnglishWording
from authguard.otp.codes import VERIFY
from demo_app.delivery import OutboxDelivery, deliver_texts
from demo_app.naive.hand_book import open_book
from demo_app.second_factor import has_second_factor

ACTIONS = {
    "login": "log in",
    "reset": "choose a new password",
    "signup": "sign up",
    "signup-taken": "log in (you have an account already)",
    "contact": "have messages sent here",
}
"""What each purpose does, in the words of the messages."""
POLICIES = {"reset": "password-reset", "signup": "signup", "signup-taken": "signup"}
"""What a request for a code is counted under, where that is not ``otp-send``.

Who asks for an account in somebody else's name must not get them refused: ``signup`` challenges, and never refuses for
what others asked. That an address is taken must not show, so both purposes are counted alike.
"""
NAME = "demo-codes"


class Sent(Protocol):
    """The answer to a request for a code; ``next_send_in`` is in seconds."""

    @property
    def token(self) -> str:
        """What the form that takes the code carries."""
        ...

    @property
    def next_send_in(self) -> int:
        """How long to wait before asking again."""
        ...


class Reader(Protocol):
    """Whom a link speaks for."""

    @property
    def account(self) -> str | None:
        """The account's id."""
        ...

    @property
    def to(self) -> str | None:
        """The address typed where there was no account."""
        ...


class Codes(Protocol):
    """Sends codes and checks them; see ``authguard.flask``'s ``guard.codes`` for the arguments."""

    @property
    def digits(self) -> int:
        """How long codes are."""
        ...

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> Sent:
        """Send a code."""
        ...

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right."""
        ...

    def read_link(self, token: str) -> Reader | None:
        """Return whom a link speaks for; uses nothing up."""
        ...

    def follow_link(self, purpose: str, token: str, *, deliver: str | None) -> Reader | None:
        """Use a link up."""
        ...

    def forget_devices(self, account: str) -> None:
        """Let no browser be a known device of ``account`` any more."""
        ...


class GuardedCodes:
    """authguard's codes, which belong to the request that asks."""

    def __init__(self, guard: AuthGuard) -> None:
        self._guard = guard

    @property
    def digits(self) -> int:
        """How long codes are, by the policy."""
        return self._guard.guard.policy(VERIFY).digits

    def send(
        self, purpose: str, to: str, *, deliver: str | None, account: str | None, token: str | None = None
    ) -> Sent:
        """Send a code."""
        policy = POLICIES.get(purpose, "otp-send")
        return self._guard.codes.send(purpose, to, deliver=deliver, account=account, policy=policy, token=token)

    def verify(self, purpose: str, token: str, code: str, *, to: str, deliver: str | None, account: str | None) -> bool:
        """Return whether ``code`` is right."""
        outcome = _outcome(account)
        return self._guard.codes.verify(purpose, token, code, to=to, deliver=deliver, account=account, outcome=outcome)

    def read_link(self, token: str) -> Reader | None:
        """Return whom a link speaks for."""
        return self._guard.codes.read_link(token)

    def follow_link(self, purpose: str, token: str, *, deliver: str | None) -> Reader | None:
        """Use a link up."""
        reader = self._guard.codes.read_link(token)
        outcome = _outcome(reader.account if reader else None)
        return self._guard.codes.follow_link(purpose, token, deliver=deliver, outcome=outcome)

    def forget_devices(self, account: str) -> None:
        """Revoke the account's known devices."""
        self._guard.devices.revoke(account)


def _outcome(account: str | None) -> Outcome:
    """Return what a right code or link is worth to ``account``: the last factor alone is a success."""
    return Outcome.PARTIAL if account is not None and has_second_factor(account) else Outcome.SUCCESS


def codes() -> Codes:
    """Return the codes of the current application."""
    return codes_of(current_app)


def codes_of(app: Flask) -> Codes:
    """Return the codes of ``app``."""
    return cast(Codes, app.extensions[NAME])


def use_codes(app: Flask, chosen: Codes) -> None:
    """Have ``app`` send and check its codes by ``chosen``."""
    app.extensions[NAME] = chosen


def outbox_messages(app: Flask, site: str) -> Messages:
    """Return the way in which authguard's messages leave; ``site`` is where the links in them lead."""
    return Messages(
        f"{site}/continue/{{token}}",
        mail=OutboxDelivery(app.config["DEMO_DATABASE"]),
        sms=deliver_texts(app),
        sms_rate=app.config["DEMO_SMS_RATE"],
        wording=EnglishWording("Lantern", ACTIONS),
        spending=open_book(app),
    )
