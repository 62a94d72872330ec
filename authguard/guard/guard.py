"""Guard: one request, one decision, one store call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from time import monotonic

from authguard.errors import ConfigurationError, IdentityError, StoreError
from authguard.events import Observer, Refused, Settled
from authguard.guard.attempt import Attempt
from authguard.guard.report import report
from authguard.guard.ruling import Answerable, Refusal
from authguard.guard.waiting import LONGEST_WAIT, WaitingRoom
from authguard.limits import Counter, Decision, Mode, Outcome, Plan, Receipt, Verdict
from authguard.limits.decision import NEVER
from authguard.limits.plan import NO_GUESS
from authguard.policy import FailMode, Planner, Policy, Scope, Subject
from authguard.stores.resilient import ResilientStore, Ruling

Watch = Callable[[Policy, Subject, Outcome], object]
"""Told of every outcome, after it was settled."""

BUSY_RETRY = 1_000_000
"""Microseconds after which a client may come back when the fault is ours."""


class _Case:
    """One request before a policy; it waits for others until a monotonic time, at its address's place."""

    __slots__ = ("policy", "subject", "until")

    def __init__(self, policy: Policy, subject: Subject, until: float | None = None) -> None:
        self.policy = policy
        self.subject = subject
        self.until = monotonic() + LONGEST_WAIT if until is None else until

    @property
    def place(self) -> str:
        # Not the client: an address may have many devices.
        return self.subject.values.get(Scope.IP) or self.subject.client


class Guard:
    """Decides requests by policies over one store."""

    def __init__(
        self,
        policies: Mapping[str, Policy],
        store: ResilientStore,
        planner: Planner,
        observer: Observer,
        waiting: WaitingRoom | None = None,
        watch: Watch | None = None,
    ) -> None:
        self._policies = dict(policies)
        self._store = store
        self._planner = planner
        self._observer = observer
        self._waiting = waiting or WaitingRoom()
        self._watch = watch

    def policy(self, name: str) -> Policy:
        """Return the policy called ``name``; raises ``ConfigurationError`` with the names there are."""
        try:
            return self._policies[name]
        except KeyError:
            known = ", ".join(sorted(self._policies))
            raise ConfigurationError(
                f"there is no policy {name!r}; use one of {known}, or add it to the TOML"
            ) from None

    def attempt(
        self,
        name: str,
        subject: Subject,
        secret: str | None = None,
        also: tuple[Counter, ...] = (),
        until: float | None = None,
    ) -> Attempt:
        """Charge an attempt on a verifier; its outcome settles it.

        ``also`` are counters that no layer describes; ``until`` is the monotonic time up to which it may wait for
        attempts of others, 5 seconds from now unless given.
        """
        policy = self.policy(name)
        return self._begin(_Case(policy, subject, until), secret, policy.hold, also)

    def count(self, name: str, subject: Subject, also: tuple[Counter, ...] = ()) -> Attempt:
        """Charge an action that proves nothing; there is no outcome to wait for."""
        return self._begin(_Case(self.policy(name), subject), None, 0, also)

    def foresee(self, name: str, subject: Subject, hold: int) -> Decision | None:
        """Return what a client would be told now, with nothing charged; ``None`` where the store can't be asked.

        Counters that the client can't know of are left out: what it is told must not depend on them (law 8).
        """
        policy = self.policy(name)
        return self._store.peek(_without_hidden(policy, self._planner.plan(policy, subject, None, hold)))

    def shut(self, policy: Policy) -> None:
        """Shut the gates of ``policy``, each for its period from now on; without a store they stay as they are."""
        for gate in policy.gates:
            with suppress(StoreError):
                self._store.decide(self._planner.shut(policy, gate), FailMode.LOCAL)

    def refuse(self, name: str, code: str) -> Attempt:
        """Refuse a request whose identity can't be counted (law 7)."""
        self._observer.observe(Refused(name, code))
        return self._refused(self.policy(name), None, Refusal.IDENTITY, 0, code)

    def _begin(self, case: _Case, secret: str | None, hold: int, also: tuple[Counter, ...]) -> Attempt:
        policy = case.policy
        try:
            plan = self._planner.plan(policy, case.subject, secret, hold)
            if also:
                plan = replace(plan, counters=plan.counters + also)
            started = monotonic()
            ruling, waits = self._decide(case, plan)
            self._observer.observe(report(policy, case.subject, ruling, monotonic() - started))
            decision = ruling.decision
            blind = bool(hold) and decision is not None and _denies_unseen(policy, decision)
            if blind:
                ruling, waits = self._decide(case, _as_shown(policy, plan))
                decision = ruling.decision
        except IdentityError as error:
            return self.refuse(policy.name, error.code)
        except StoreError:
            return self._refused(policy, None, Refusal.BUSY, BUSY_RETRY)
        if decision is None or decision.allowed:
            return self._admitted(case, decision, blind)
        if waits:
            return self._refused(policy, decision, Refusal.BUSY, BUSY_RETRY)
        if decision.retry_after is None:
            return self._refused(policy, decision, Refusal.COST, 0)
        return self._refused(policy, decision, _kind_of(policy, decision), decision.retry_after)

    def _decide(self, case: _Case, plan: Plan) -> tuple[Ruling, bool]:
        """Return the ruling, and whether the request still waits for others when its time or place has run out."""
        mode = case.policy.fail_mode
        ruling = self._store.decide(plan, mode)
        if not _waits(case.policy, ruling):
            return ruling, False
        with self._waiting.enter(case.place) as has_place:
            while has_place and _waits(case.policy, ruling) and monotonic() < case.until:
                self._waiting.pause()
                ruling = self._store.decide(plan, mode)
        return ruling, _waits(case.policy, ruling)

    def _admitted(self, case: _Case, decision: Decision | None, blind: bool) -> Attempt:
        receipt = decision.receipt if decision is not None else None

        def settle(outcome: Outcome) -> None:
            if receipt is not None:
                self._settle(case, receipt, outcome)

        return Attempt(decision, None, settle, blind, case.subject.known)

    def _settle(self, case: _Case, receipt: Receipt, outcome: Outcome) -> None:
        settled = self._store.settle(receipt, outcome)
        self._waiting.announce()
        self._observer.observe(Settled(case.policy.name, outcome, settled))
        if self._watch is not None:
            self._watch(case.policy, case.subject, outcome)

    def _refused(
        self, policy: Policy, decision: Decision | None, refusal: Refusal, retry_after: int, code: str = ""
    ) -> Attempt:
        answerable = Answerable(refusal, retry_after, policy.sensitive, code or refusal)
        return Attempt(decision, answerable, _settle_nothing)


def _waits(policy: Policy, ruling: Ruling) -> bool:
    """Return whether a request is denied only because of attempts under way, on the name that it typed itself.

    It does not wait for those on the account's other names: that would tell, by the time, that they belong together
    (law 8).
    """
    decision = ruling.decision
    if decision is None or decision.allowed:
        return False
    reply = decision.reply
    full = [
        pending > 0 and wait != NEVER
        for counter, wait, pending in zip(decision.plan.counters, reply.waits, reply.pending, strict=True)
        if wait and counter.mode is not Mode.SHADOW and Scope.AUTHENTICATOR not in policy.scopes_of(counter.layer)
    ]
    return bool(full) and all(full)


def _without_hidden(policy: Policy, plan: Plan) -> Plan:
    """Return ``plan`` without the counters of the account behind the identifier."""
    visible = tuple(each for each in plan.counters if Scope.AUTHENTICATOR not in policy.scopes_of(each.layer))
    return replace(plan, counters=visible)


def _as_shown(policy: Policy, plan: Plan) -> Plan:
    """Return the plan of an attempt that goes on without a chance, as if the hidden counters were not there (law 8).

    Its guess was never looked at. So it is kept under another mark: the same guess made again must not pass for one
    that was (law 4), though it joins what is shown of this one.
    """
    mark = bytes(byte ^ 0xFF for byte in plan.guess)
    guess = plan.guess if plan.guess == NO_GUESS else b"\x00\x01" if mark == NO_GUESS else mark
    return replace(_without_hidden(policy, plan), guess=guess)


def _denies_unseen(policy: Policy, decision: Decision) -> bool:
    """Return whether a counter that the client can't know of has denied, alone or among others."""
    return not decision.allowed and any(Scope.AUTHENTICATOR in policy.scopes_of(name) for name in decision.denied)


def _kind_of(policy: Policy, decision: Decision) -> Refusal:
    """Tell a client that did too much (429) from a pool that everybody shares (503, law 16)."""
    if decision.verdict is Verdict.CHALLENGE:
        return Refusal.CHALLENGE
    scopes = {scope for name in decision.denied for scope in policy.scopes_of(name)}
    return Refusal.BUSY if scopes == {Scope.GLOBAL} else Refusal.RATE


def _settle_nothing(outcome: Outcome) -> None:
    """Settle an attempt that was never charged."""
