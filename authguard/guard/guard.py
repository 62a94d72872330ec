"""Guard: one request, one decision, one store call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import NamedTuple

from authguard.errors import ConfigurationError, IdentityError, StoreError
from authguard.events import Observer, Refused, Settled
from authguard.guard.attempt import Attempt
from authguard.guard.hidden import as_shown, is_blinded, waits, without_hidden
from authguard.guard.report import report
from authguard.guard.ruling import Answerable, Refusal
from authguard.guard.waiting import LONGEST_WAIT, WaitingRoom
from authguard.limits import Counter, Decision, Outcome, Plan, Receipt, Verdict
from authguard.policy import FailMode, Planner, Policy, Scope, Subject
from authguard.stores.resilient import ResilientStore, Ruling

Watch = Callable[[Policy, Subject, Outcome], object]
"""Told of every secret that was looked at, after its attempt was settled."""

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


class _Look(NamedTuple):
    """What the store says of a request, and what the client is shown: where it is blind, hidden counters left out."""

    ruling: Ruling
    shown: Ruling

    @property
    def is_blind(self) -> bool:
        return self.shown is not self.ruling

    @property
    def is_trouble(self) -> bool:
        """True unless every layer had room."""
        decision = self.ruling.decision
        return decision is None or any(decision.reply.waits)


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
        self._tells_all = not getattr(observer, "skips_admissions", False)
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
        return self._store.peek(without_hidden(policy, self._planner.plan(policy, subject, None, hold)))

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
            look = self._decide(case, plan)
            if self._tells_all or look.is_trouble:
                self._observer.observe(report(policy, case.subject, look.ruling, monotonic() - started))
            decision = look.shown.decision
        except IdentityError as error:
            return self.refuse(policy.name, error.code)
        except StoreError:
            return self._refused(policy, None, Refusal.BUSY, BUSY_RETRY)
        if decision is None or decision.reply.admitted:
            return self._admitted(case, decision, look.is_blind)
        if waits(policy, look.shown):
            return self._refused(policy, decision, Refusal.BUSY, BUSY_RETRY)
        if decision.retry_after is None:
            return self._refused(policy, decision, Refusal.COST, 0)
        return self._refused(policy, decision, _kind_of(policy, decision), decision.retry_after)

    def _decide(self, case: _Case, plan: Plan) -> _Look:
        """Look at the store, again and again while the request may wait for others: its time and place are bounded."""
        look = self._look(case.policy, plan)
        if not waits(case.policy, look.shown):
            return look
        with self._waiting.enter(case.place) as has_place:
            while has_place and waits(case.policy, look.shown) and monotonic() < case.until:
                self._waiting.pause()
                look = self._look(case.policy, plan)
        return look

    def _look(self, policy: Policy, plan: Plan) -> _Look:
        ruling = self._store.decide(plan, policy.fail_mode)
        if not plan.hold or not is_blinded(policy, ruling):
            return _Look(ruling, ruling)
        return _Look(ruling, self._store.decide(as_shown(policy, plan), policy.fail_mode))

    def _admitted(self, case: _Case, decision: Decision | None, blind: bool) -> Attempt:
        receipt = decision.receipt if decision is not None and decision.plan.hold else None
        if receipt is None:
            return Attempt(decision, None, _settle_nothing, blind, case.subject.known)

        def settle(outcome: Outcome, looked: bool) -> None:
            self._settle(case, receipt, outcome, looked)

        return Attempt(decision, None, settle, blind, case.subject.known)

    def _settle(self, case: _Case, receipt: Receipt, outcome: Outcome, looked: bool) -> None:
        settled = self._store.settle(receipt, outcome)
        self._waiting.announce()
        self._observer.observe(Settled(case.policy.name, outcome, settled))
        if self._watch is not None and looked:
            self._watch(case.policy, case.subject, outcome)

    def _refused(
        self, policy: Policy, decision: Decision | None, refusal: Refusal, retry_after: int, code: str = ""
    ) -> Attempt:
        answerable = Answerable(refusal, retry_after, policy.sensitive, code or refusal)
        return Attempt(decision, answerable, _settle_nothing)


def _kind_of(policy: Policy, decision: Decision) -> Refusal:
    """Tell a client that did too much (429) from a pool that everybody shares (503, law 16)."""
    if decision.verdict is Verdict.CHALLENGE:
        return Refusal.CHALLENGE
    scopes = {scope for name in decision.denied for scope in policy.scopes_of(name)}
    return Refusal.BUSY if scopes == {Scope.GLOBAL} else Refusal.RATE


def _settle_nothing(outcome: Outcome, looked: bool) -> None:
    """Settle what was never charged, or can not be given back."""
