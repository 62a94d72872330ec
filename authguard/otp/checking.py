"""Checking: a try is taken before anybody looks at the code, and one right code wins (law 12)."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from authguard.errors import StoreError
from authguard.guard import Answerable, Attempt
from authguard.guard.hidden import is_hidden
from authguard.limits import Decision, Outcome, Plan
from authguard.otp.binding import TAG, Binding
from authguard.otp.counters import OWN, WON, gates_after, looks_at_versions, newest_sent, shut_by, try_of, win_of
from authguard.otp.digits import is_code
from authguard.otp.entrance import Entrance, settle_on
from authguard.otp.foundation import BUSY, Foundation, waits_of
from authguard.otp.token import Challenge, Version
from authguard.policy import FailMode

_NO_MAC = bytes(TAG)


@dataclass(frozen=True, slots=True)
class Guess:
    """A code and what it came with. ``token`` and ``code`` are whatever the client sent.

    ``policy`` is the one that guesses are charged to. ``outcome`` is what a right code settles as: ``PARTIAL`` where
    another factor is still to come.
    """

    policy: str
    binding: Binding
    entrance: Entrance = field(repr=False)
    token: object = field(repr=False)
    code: object = field(repr=False)
    outcome: Outcome = Outcome.SUCCESS


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether the code was right, and nothing about why not. ``refused`` is set where the client may not try now."""

    right: bool
    refused: Answerable | None = None


class Checking:
    """Checks codes of ``digits`` digits."""

    def __init__(self, foundation: Foundation, digits: int) -> None:
        self._foundation = foundation
        self._digits = digits

    def check(self, guess: Guess) -> Checked:
        """Return whether the code is the live one of its challenge; true once.

        What can't be a code or a token consumes nothing, nor does a token of another purpose, identity, destination or
        browser. One that is too old gives the identity's guess back: it can't be right, and kept for long it would
        burn a budget a day without a message that tells anybody of it.
        """
        challenge, rules = self._foundation.open_challenge(guess.token, guess.binding), self._foundation.rules
        code = guess.code
        if challenge is None or not isinstance(code, str) or not is_code(code, self._digits):
            return self._wrong(guess, "foreign" if challenge is None else "malformed")
        looks = looks_at_versions(challenge.id, rules)
        own = (try_of(challenge.id, rules), shut_by(win_of(challenge.id, rules)), *looks)
        # The challenge is part of what is tried: the same digits at another one are another guess (law 4). So they are
        # after a resend: while its message is under way they are compared with one code, and then with the next.
        version = "1" if challenge.newest == 1 else secrets.token_hex(8)
        tried = f"{challenge.id.hex()}:{version}:{code}"
        with guess.entrance.attempt(guess.policy, tried, lambda subject: own) as attempt:
            if attempt.refused is not None:
                return self._refuse(guess, attempt)
            if attempt.decision is None:
                return Checked(False, BUSY)
            live = self._match(guess, challenge, code, attempt.decision)
            if not self._is_fresh(challenge.versions[-1], attempt.decision):
                attempt.withdraw()
                return self._wrong(guess, "expired")
            if not live or attempt.blind:
                return self._wrong(guess, "wrong")
            return self._win(guess, challenge, live, attempt)

    def _refuse(self, guess: Guess, attempt: Attempt) -> Checked:
        """Return a wrong code where only counters denied that the client can't know of, else the refusal."""
        policy = self._foundation.guard.policy(guess.policy)
        denied = attempt.decision.denied if attempt.decision is not None else ()
        shown = [name for name in denied if name not in OWN and not is_hidden(policy, name)]
        if shown or not denied:
            return Checked(False, attempt.refused)
        return self._wrong(guess, "used" if WON in denied else "burned")

    def _match(self, guess: Guess, challenge: Challenge, code: str, decision: Decision) -> int:
        """Return the number of the live version if ``code`` is its code, else 0; the same work either way.

        The live version is the newest whose message has gone out. One that was asked for and withheld is none: else
        whoever keeps the destination's ladder busy would void the code that its owner holds.
        """
        live = newest_sent(waits_of(decision))
        version = challenge.versions[live - 1] if 1 <= live <= challenge.newest else None
        mac = version.mac if version is not None else _NO_MAC
        same = guess.binding.has_code(self._foundation.pseudonymizer, challenge.id, live, code, mac)
        return live if same and version is not None and self._is_fresh(version, decision) else 0

    def _is_fresh(self, version: Version, decision: Decision) -> bool:
        return decision.reply.now < version.issued + self._foundation.rules.ttl

    def _win(self, guess: Guess, challenge: Challenge, live: int, attempt: Attempt) -> Checked:
        """Take the challenge's one success, unless somebody was faster or a newer message has gone out since."""
        rules = self._foundation.rules
        plan = Plan((win_of(challenge.id, rules), *gates_after(challenge.id, live, rules)))
        try:
            decision = self._foundation.store.decide(plan, FailMode.CLOSED).decision
        except StoreError:
            return Checked(False, BUSY)
        if decision is None or not decision.allowed:
            return self._wrong(guess, "used")
        if guess.outcome is Outcome.PARTIAL:
            attempt.partial()
        else:
            attempt.succeed()
        subject = settle_on(guess.entrance.subject, attempt)
        self._foundation.welcome(subject, guess.binding.deliver, challenge.id, live)
        self._foundation.tell(guess.binding.purpose, "right")
        return Checked(True)

    def _wrong(self, guess: Guess, why: str) -> Checked:
        self._foundation.tell(guess.binding.purpose, why)
        return Checked(False)
