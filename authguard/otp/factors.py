"""Factors: second factors, each authenticator of an account with a guess budget of its own."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from authguard.clock import SECOND
from authguard.durations import parse_duration
from authguard.errors import StoreError
from authguard.events import CodeChecked, Observer
from authguard.guard import Attempt
from authguard.identity import Pseudonymizer
from authguard.limits import Counter, Limit, Plan
from authguard.limits.plan import KEY_SIZE
from authguard.otp.authenticator_app import DRIFT, STEP, AuthenticatorApp, new_app
from authguard.otp.checking import Checked
from authguard.otp.entrance import Entrance
from authguard.otp.foundation import BUSY
from authguard.otp.recovery import hash_recovery_code
from authguard.policy import FailMode
from authguard.stores.resilient import ResilientStore

SECOND_FACTOR = "second-factor"
"""The policy that guesses at second factors are charged to."""
_ONCE = Limit(1, parse_duration("24h"))
"""For longer than a code of an app is right, or a used recovery code takes to be struck out."""
_NOBODYS = "0" * 64

Match = Callable[[int], tuple[str, ...]]
"""Takes the store's time and returns what is used up, and what must not have been; nothing for a wrong code."""


@dataclass(frozen=True, slots=True)
class Factors:
    """Checks second factors through ``entrance``, whose subject is one authenticator of one account."""

    store: ResilientStore
    pseudonymizer: Pseudonymizer
    observer: Observer

    def check_app(self, entrance: Entrance, account: str, app: AuthenticatorApp | None, code: object) -> Checked:
        """Return whether ``code`` is one that the account's app shows now; each is right once (RFC 6238, 5.2).

        None is right any more once a later one was. Without an app the answer is no, after the same work. Raises
        ``ConfigurationError`` without ``authguard[totp]``.
        """
        real = app or new_app()

        def match(now: int) -> tuple[str, ...]:
            step = real.matching_step(code, now)
            return () if step is None or app is None else tuple(map(str, range(step, step + 2 * DRIFT + 1)))

        # The time is part of what is tried: the same digits a step later are another guess (law 4).
        tried = f"{self.store.now() // SECOND // STEP}:{code}"
        return self._check(entrance, "app", account, tried, match, lambda used: True)

    def check_recovery(
        self, entrance: Entrance, account: str, hashes: Sequence[str], code: object, strike: Callable[[str], bool]
    ) -> Checked:
        """Return whether ``code`` is one of those whose ``hashes`` are stored.

        ``strike`` is called with the hash of a right one and takes it off the list, returning whether it was there
        still: in one statement, as in ``DELETE … WHERE hash = ?``.
        """

        def match(now: int) -> tuple[str, ...]:
            made = hash_recovery_code(account, code) if isinstance(code, str) else None
            same = [each for each in hashes if hmac.compare_digest(each.encode(), (made or _NOBODYS).encode())]
            return tuple(same[:1]) if made is not None else ()

        return self._check(entrance, "recovery", account, code if isinstance(code, str) else "", match, strike)

    def _check(
        self, entrance: Entrance, kind: str, account: str, tried: str, match: Match, strike: Callable[[str], bool]
    ) -> Checked:
        with entrance.attempt(SECOND_FACTOR, tried, lambda subject: ()) as attempt:
            if attempt.refused is not None:
                return Checked(False, attempt.refused)
            if attempt.decision is None:
                return Checked(False, BUSY)
            found = match(attempt.decision.reply.now)
            if not found or attempt.blind:
                return self._wrong(kind, "wrong")
            return self._use(kind, account, found, attempt, strike)

    def _use(
        self, kind: str, account: str, found: tuple[str, ...], attempt: Attempt, strike: Callable[[str], bool]
    ) -> Checked:
        plan = Plan(tuple(self._once(kind, account, each, place) for place, each in enumerate(found)))
        try:
            decision = self.store.decide(plan, FailMode.CLOSED).decision
        except StoreError:
            return Checked(False, BUSY)
        if decision is None or not decision.allowed or not strike(found[0]):
            return self._wrong(kind, "used")
        attempt.succeed()
        self.observer.observe(CodeChecked(kind, "right"))
        return Checked(True)

    def _once(self, kind: str, account: str, each: str, place: int) -> Counter:
        """Return the counter of what is used up, which is first, or a look at what must not have been."""
        key, *previous = self.pseudonymizer.tags("otp-used", kind, account, each, size=KEY_SIZE)
        return Counter(f"code-used-{place}", key, _ONCE, charges=place == 0, previous=tuple(previous))

    def _wrong(self, kind: str, why: str) -> Checked:
        self.observer.observe(CodeChecked(kind, why))
        return Checked(False)
