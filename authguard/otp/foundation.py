"""Foundation: what sending codes, checking them and following links have in common."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

from authguard.clock import SECOND
from authguard.delivery import Free, Spending
from authguard.errors import AuthGuardError, IdentityError, TokenError
from authguard.events import CodeChecked, Observer
from authguard.guard import Answerable, Guard
from authguard.guard.ruling import Refusal
from authguard.guard.seal import Seal
from authguard.identity import EmailRules, Pseudonymizer
from authguard.limits import Decision
from authguard.otp.binding import Binding
from authguard.otp.destination import channel_of, read_destination
from authguard.otp.ladders import Ladders
from authguard.otp.rules import CodeRules
from authguard.otp.token import Challenge
from authguard.policy import Subject
from authguard.stores.resilient import ResilientStore

BUSY = Answerable(Refusal.BUSY, SECOND, True, Refusal.BUSY)
"""The answer when nobody can count: what can't be counted can't be checked."""


@dataclass(frozen=True, slots=True)
class Foundation:
    """The parts that codes are made of. ``challenges`` and ``links`` seal for one purpose each.

    ``region`` is where the national numbers of those who get messages are dialled from; it is their ledger's, too.
    """

    guard: Guard
    store: ResilientStore
    pseudonymizer: Pseudonymizer
    challenges: Seal
    links: Seal
    ladders: Ladders
    rules: CodeRules
    observer: Observer
    spending: Spending = field(default_factory=Free)
    email_rules: EmailRules | None = None
    region: str | None = None

    def open_challenge(self, token: object, binding: Binding) -> Challenge | None:
        """Return the challenge in ``token``, whatever that is, if it is one of ``binding``."""
        try:
            challenge = Challenge.unpack(self.challenges.open(token if isinstance(token, str) else "").payload)
        except TokenError:
            return None
        return challenge if binding.fits(self.pseudonymizer, challenge.binding) else None

    def tell(self, purpose: str, result: str) -> None:
        """Tell the operator how a code or a link fared; nobody else learns it."""
        self.observer.observe(CodeChecked(purpose, result))

    def welcome(self, subject: Subject, deliver: str | None, challenge: bytes, version: int) -> None:
        """Forget the ladders of a destination that has answered and of this client; tell whoever pays.

        A code or a link is no less right where that goes wrong.
        """
        if deliver is None:
            return
        channel = channel_of(deliver)
        try:
            destination = read_destination(channel, deliver, self.region, self.email_rules)
        except IdentityError:
            return  # the application names another address than the one that the message reached
        self.store.forget(self.ladders.keys(subject, destination.key))
        with suppress(AuthGuardError):
            self.spending.verified(channel, deliver, message_key(challenge, version))


def message_key(challenge: bytes, version: int) -> str:
    """Return what one message is known by, to the ledger and to providers that take such a key."""
    return f"{challenge.hex()}{version}"


def waits_of(decision: Decision) -> dict[str, int]:
    """Return in how many microseconds each counter would admit, by name; 0 for those that do."""
    return {counter.layer: wait for counter, wait in zip(decision.plan.counters, decision.reply.waits, strict=True)}
