"""Guard: one request, one decision, one store call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from time import monotonic

from authguard.errors import ConfigurationError, IdentityError, StoreError
from authguard.events import Decided, Observer, Refused, Settled
from authguard.guard.attempt import Attempt
from authguard.guard.ruling import Answerable, Refusal
from authguard.guard.waiting import LONGEST_WAIT, WaitingRoom
from authguard.limits import Decision, Outcome, Plan, Receipt, Verdict
from authguard.policy import Planner, Policy, Scope, Subject
from authguard.stores.resilient import ResilientStore, Ruling, Source

BUSY_RETRY = 1_000_000
"""Microseconds after which a client may come back when the fault is ours."""


class Guard:
    """Decides requests by policies over one store."""

    def __init__(
        self,
        policies: Mapping[str, Policy],
        store: ResilientStore,
        planner: Planner,
        observer: Observer,
        waiting: WaitingRoom | None = None,
    ) -> None:
        self._policies = dict(policies)
        self._store = store
        self._planner = planner
        self._observer = observer
        self._waiting = waiting or WaitingRoom()

    def policy(self, name: str) -> Policy:
        """Return the policy called ``name``; raises ``ConfigurationError`` with the names there are."""
        try:
            return self._policies[name]
        except KeyError:
            known = ", ".join(sorted(self._policies))
            raise ConfigurationError(
                f"there is no policy {name!r}; use one of {known}, or add it to the TOML"
            ) from None

    def attempt(self, name: str, subject: Subject, secret: str | None = None) -> Attempt:
        """Charge an attempt on a verifier; its outcome settles it."""
        policy = self.policy(name)
        return self._begin(policy, subject, secret, policy.hold)

    def count(self, name: str, subject: Subject) -> Attempt:
        """Charge an action that proves nothing; there is no outcome to wait for."""
        return self._begin(self.policy(name), subject, None, 0)

    def refuse(self, name: str, code: str) -> Attempt:
        """Refuse a request whose identity can't be counted (law 7)."""
        self._observer.observe(Refused(name, code))
        return self._refused(self.policy(name), None, Refusal.IDENTITY, 0, code)

    def _begin(self, policy: Policy, subject: Subject, secret: str | None, hold: int) -> Attempt:
        try:
            plan = self._planner.plan(policy, subject, secret, hold)
            decision, waits = self._rule(policy, plan, subject.client)
            if hold and decision is not None and self._is_hidden(policy, decision):
                return self._begin_blind(policy, plan, subject.client)
        except IdentityError as error:
            return self.refuse(policy.name, error.code)
        except StoreError:
            return self._refused(policy, None, Refusal.BUSY, BUSY_RETRY)
        return self._conclude(policy, decision, waits, blind=False)

    def _begin_blind(self, policy: Policy, plan: Plan, client: str) -> Attempt:
        """Let a denied attempt go on without a chance, as if the hidden counters were not there (law 8)."""
        visible = tuple(each for each in plan.counters if Scope.AUTHENTICATOR not in policy.layer(each.layer).scopes)
        decision, waits = self._rule(policy, replace(plan, counters=visible), client)
        return self._conclude(policy, decision, waits, blind=True)

    def _conclude(self, policy: Policy, decision: Decision | None, waits: bool, blind: bool) -> Attempt:
        if decision is None or decision.allowed:
            return self._admitted(policy, decision, blind)
        if waits:
            return self._refused(policy, decision, Refusal.BUSY, BUSY_RETRY)
        if decision.retry_after is None:
            return self._refused(policy, decision, Refusal.COST, 0)
        return self._refused(policy, decision, _kind_of(policy, decision), decision.retry_after)

    def _rule(self, policy: Policy, plan: Plan, client: str) -> tuple[Decision | None, bool]:
        """Decide and tell the observers; ``None`` when nobody decided. Raises ``StoreError`` where that is fatal."""
        started = monotonic()
        ruling, waits = self._decide(policy, plan, client)
        self._tell(policy, ruling, monotonic() - started)
        return ruling.decision, waits

    @staticmethod
    def _is_hidden(policy: Policy, decision: Decision) -> bool:
        """Return whether only counters that the client can't know of have denied."""
        denied = () if decision.allowed else decision.denied
        return bool(denied) and all(Scope.AUTHENTICATOR in policy.layer(name).scopes for name in denied)

    def _decide(self, policy: Policy, plan: Plan, client: str) -> tuple[Ruling, bool]:
        """Return the ruling, and whether the request still waits for others when its time or place has run out."""
        ruling = self._store.decide(plan, policy.fail_mode)
        if not _waits(ruling):
            return ruling, False
        with self._waiting.enter(client) as has_place:
            until = monotonic() + LONGEST_WAIT
            while has_place and _waits(ruling) and monotonic() < until:
                self._waiting.pause()
                ruling = self._store.decide(plan, policy.fail_mode)
        return ruling, _waits(ruling)

    def _admitted(self, policy: Policy, decision: Decision | None, blind: bool) -> Attempt:
        receipt = decision.receipt if decision is not None else None

        def settle(outcome: Outcome) -> None:
            if receipt is not None:
                self._settle(policy, receipt, outcome)

        return Attempt(decision, None, settle, blind)

    def _settle(self, policy: Policy, receipt: Receipt, outcome: Outcome) -> None:
        settled = self._store.settle(receipt, outcome)
        self._waiting.announce()
        self._observer.observe(Settled(policy.name, outcome, settled))

    def _refused(
        self, policy: Policy, decision: Decision | None, refusal: Refusal, retry_after: int, code: str = ""
    ) -> Attempt:
        answerable = Answerable(refusal, retry_after, policy.sensitive, code or refusal)
        return Attempt(decision, answerable, _settle_nothing)

    def _tell(self, policy: Policy, ruling: Ruling, seconds: float) -> None:
        decision, source = ruling
        if decision is None:
            self._observer.observe(Decided(policy.name, Verdict.ALLOW, (), (), False, seconds, source))
            return
        denied = () if decision.allowed else decision.denied
        event = Decided(
            policy.name, decision.verdict, denied, decision.shadow_denied, decision.reply.joined, seconds, source
        )
        self._observer.observe(event)


def _waits(ruling: Ruling) -> bool:
    return ruling.source is not Source.OPEN and ruling.decision is not None and ruling.decision.waitable


def _kind_of(policy: Policy, decision: Decision) -> Refusal:
    """Tell a client that did too much (429) from a pool that everybody shares (503, law 16)."""
    scopes = {scope for name in decision.denied for scope in policy.layer(name).scopes}
    if scopes == {Scope.GLOBAL}:
        return Refusal.BUSY
    return Refusal.CHALLENGE if decision.verdict is Verdict.CHALLENGE else Refusal.RATE


def _settle_nothing(outcome: Outcome) -> None:
    """Settle an attempt that was never charged."""
