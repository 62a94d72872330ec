"""Visits: the request at hand on its way to the door, and what becomes of it there."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Request, request

from authguard.flask.denial import Denied
from authguard.flask.devices import RequestDevices, find_device
from authguard.flask.retry import read_answer
from authguard.flask.state import State
from authguard.guard import Attempt
from authguard.login.door import Visit
from authguard.otp import Also
from authguard.policy import Subject


def read_visit(state: State, policy: str, identifier: str | None) -> Visit:
    """Return who asks, for an identifier as typed; raises ``IdentityError``."""
    at_hand = current_request()
    return visit_of(state, state.subjects.read(state.guard.policy(policy), at_hand, identifier), at_hand)


def visit_of(state: State, subject: Subject, at_hand: Request) -> Visit:
    """Return the visit of ``subject``, with the device and the solved challenge that the request may bring."""
    return Visit(subject, find_device(state.devices, subject, at_hand), read_answer(at_hand))


def current_request() -> Request:
    """Return the request itself: each attribute read through Flask's stand-in for it costs half a microsecond."""
    at_hand: Request = request._get_current_object()  # type: ignore[attr-defined]
    return at_hand


def refuse(state: State, policy: str, code: str) -> Denied:
    """Return the answer to an identity that can't be counted."""
    refused = state.guard.refuse(policy, code).refused
    if refused is None:
        raise AssertionError("a refusal is a refusal")
    return Denied(refused)


def remember_success(state: State, policy: str, visit: Visit, attempt: Attempt) -> None:
    """Have the browser become a known device of the account once ``attempt`` succeeds."""
    if attempt.decision is None or not state.guard.policy(policy).tells_devices_apart:
        return
    # The time when the attempt began: devices that are revoked while it runs include this one.
    own_id, began = visit.subject.own_id, attempt.decision.reply.now
    devices = RequestDevices(state.devices, state.subjects)
    attempt.when_succeeded(lambda: devices.remember(own_id, began))


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visit as one-time codes and second factors know it: an :class:`~authguard.otp.Entrance`."""

    state: State
    visit: Visit

    @property
    def subject(self) -> Subject:
        """See :class:`~authguard.otp.Entrance`."""
        device = self.visit.device
        return self.visit.subject if device is None else device.take(self.visit.subject)

    def leads_to(self, account: str) -> bool:
        """See :class:`~authguard.otp.Entrance`."""
        subjects = self.state.subjects
        return not subjects.resolves or self.visit.subject.own_id == subjects.own_id(account)

    def count(self, policy: str, also: Also) -> Attempt:
        """See :class:`~authguard.otp.Entrance`."""
        return self.state.door.count(policy, self.visit, also)

    def attempt(self, policy: str, secret: str, also: Also) -> Attempt:
        """See :class:`~authguard.otp.Entrance`."""
        attempt = self.state.door.attempt(policy, self.visit, secret, also)
        remember_success(self.state, policy, self.visit, attempt)
        return attempt
