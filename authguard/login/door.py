"""Door: one request's way to its decision, with the known device and the solved challenge that it may bring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import NamedTuple

from authguard.guard import Attempt, Guard, Offer
from authguard.guard.ruling import Refusal
from authguard.guard.waiting import LONGEST_WAIT
from authguard.identity import Pseudonymizer
from authguard.limits import Counter, Decision, Limit
from authguard.limits.plan import KEY_SIZE
from authguard.login.challenge import Challenger, Context
from authguard.login.devices import Device, Devices
from authguard.login.notices import Notices
from authguard.policy import Lane, Scope, Subject
from authguard.stores.resilient import ResilientStore

CLAIM = "claim"
"""The name of the counter that lets a solved challenge work once."""

Begin = Callable[[Subject, tuple[Counter, ...]], Attempt]
More = Callable[[Subject], tuple[Counter, ...]]


class Visit(NamedTuple):
    """One request: who asks, the device it comes from where the account knows one, and what answers a challenge."""

    subject: Subject
    device: Device | None = None
    answer: str = ""


class Door:
    """Decides visits. One store call each; a void device, an answered or an offered challenge costs another one."""

    def __init__(
        self,
        guard: Guard,
        store: ResilientStore,
        pseudonymizer: Pseudonymizer,
        devices: Devices,
        challenger: Challenger,
        notices: Notices,
    ) -> None:
        self._guard = guard
        self._store = store
        self._pseudonymizer = pseudonymizer
        self._devices = devices
        self._challenger = challenger
        self._notices = notices

    def attempt(self, name: str, visit: Visit, secret: str | None = None, more: More | None = None) -> Attempt:
        """Charge an attempt on a verifier; see :meth:`authguard.guard.Guard.attempt`.

        ``more`` returns the counters that go along, for the subject as the visit turns out to make it.
        """
        hold, until = self._guard.policy(name).hold, monotonic() + LONGEST_WAIT

        def begin(subject: Subject, also: tuple[Counter, ...]) -> Attempt:
            return self._guard.attempt(name, subject, secret, _all_of(also, more, subject), until)

        return self._enter(name, visit, begin, hold)

    def count(self, name: str, visit: Visit, more: More | None = None) -> Attempt:
        """Charge an action that proves nothing; see :meth:`authguard.guard.Guard.count`, and for ``more`` above."""

        def begin(subject: Subject, also: tuple[Counter, ...]) -> Attempt:
            return self._guard.count(name, subject, _all_of(also, more, subject))

        return self._enter(name, visit, begin, 0)

    def offer(self, name: str, visit: Visit) -> Offer | None:
        """Return a challenge for who was told that the secret is wrong, and may have been so because of others' tries.

        It does not depend on those (law 8), so that whoever failed may be offered one. ``None`` where a solved one
        would not open a try, or the store can't be asked.
        """
        subject, hold = visit.subject, self._guard.policy(name).hold
        foreseen = self._foresee(name, subject, hold)
        if foreseen is None or not foreseen.allowed:
            return None
        if visit.device is not None:
            # A known device comes by its own lane, which no challenge opens.
            own = self._guard.foresee(name, visit.device.take(subject), hold)
            if own is None or not own.allowed:
                return None
        return self._challenge(name, subject, visit.answer, foreseen.reply.now, foreseen)

    def _enter(self, name: str, visit: Visit, begin: Begin, hold: int) -> Attempt:
        policy = self._guard.policy(name)
        subject = visit.subject
        also: tuple[Counter, ...] = ()
        device = visit.device if policy.tells_devices_apart else None
        attempt: Attempt | None = None
        if device is not None:
            subject, also = device.take(subject), (self._devices.look(device),)
            attempt = begin(subject, also)
            if self._devices.is_void(device, attempt):
                attempt.withdraw()
                return self._enter(name, visit._replace(device=None), begin, hold)
        # Only now: what a challenge buys must not be spent on a device that turns out to be void, or needs none.
        if attempt is None or (visit.answer and _steps_up(attempt)):
            claim = self._claim(name, visit) if visit.answer else None
            if claim is not None:
                subject, also = replace(subject, passed_challenge=True), (*also, claim)
            attempt = begin(subject, also)
            if claim is not None and _denied(attempt, CLAIM):
                return self._enter(name, visit._replace(answer=""), begin, hold)
        if attempt.refused is None and not attempt.blind:
            return attempt
        self._notices.consider(policy, subject, attempt)
        return self._offer(name, subject, visit.answer, attempt, hold)

    def _claim(self, name: str, visit: Visit) -> Counter | None:
        """Return the counter of a solved challenge, to be charged with the try that it opens."""
        nonce = self._challenger.check(visit.answer, _context(name, visit.subject), self._store.now())
        if nonce is None:
            return None
        key, *previous = self._pseudonymizer.tags("claim", name, nonce, size=KEY_SIZE)
        return Counter(CLAIM, key, Limit(1, self._challenger.life), previous=tuple(previous))

    def _offer(self, name: str, subject: Subject, answer: str, attempt: Attempt, hold: int) -> Attempt:
        """Add a challenge to a refusal that one would have prevented."""
        refused, decision = attempt.refused, attempt.decision
        if refused is None or decision is None or not _steps_up(attempt):
            return attempt
        foreseen = self._foresee(name, subject, hold)
        if foreseen is None or foreseen.allowed:
            offer = self._challenge(name, subject, answer, decision.reply.now, foreseen)
            attempt.refused = replace(refused, offer=offer)
        return attempt

    def _foresee(self, name: str, subject: Subject, hold: int) -> Decision | None:
        """Return what would be said of this try, had it solved a challenge."""
        return self._guard.foresee(name, replace(subject, passed_challenge=True), hold)

    def _challenge(self, name: str, subject: Subject, answer: str, now: int, foreseen: Decision | None) -> Offer:
        tries = 0 if foreseen is None else self._tries(name, foreseen)
        return self._challenger.offer(_context(name, subject), now, tries, answer)

    def _tries(self, name: str, foreseen: Decision) -> int:
        """Return how many challenged tries this very client has failed on this account of late.

        What others did there does not show in what it is told (law 8).
        """
        policy = self._guard.policy(name)
        own = {
            layer.name
            for layer in policy.layers
            if layer.lane is Lane.CHALLENGED and {Scope.ID, Scope.IP} <= set(layer.scopes)
        }
        used = (
            counter.limit.amount - left - counter.cost
            for counter, left in zip(foreseen.plan.counters, foreseen.reply.remaining, strict=True)
            if counter.layer in own
        )
        return max(used, default=0)


def _all_of(also: tuple[Counter, ...], more: More | None, subject: Subject) -> tuple[Counter, ...]:
    return also if more is None else (*also, *more(subject))


def _context(name: str, subject: Subject) -> Context:
    network = subject.values.get(Scope.SUBNET) or subject.client
    return Context(name, subject.values.get(Scope.ID, ""), network)


def _steps_up(attempt: Attempt) -> bool:
    return attempt.refused is not None and attempt.refused.refusal is Refusal.CHALLENGE


def _denied(attempt: Attempt, layer: str) -> bool:
    decision = attempt.decision
    return decision is not None and not decision.allowed and layer in decision.denied
