"""Stage: a guard over a memory store, both living in the time of a log."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

from authguard.clock import SECOND, ManualClock
from authguard.errors import IdentityError
from authguard.guard import Attempt, Guard
from authguard.guard.ruling import Refusal
from authguard.identity import EmailRules, Pseudonymizer, address_keys, identifier_key
from authguard.limits import Outcome
from authguard.login.detection import Watchtower
from authguard.login.replay.conditions import Attackers, Conditions, KnownDevices
from authguard.login.replay.record import Origin, Record
from authguard.login.replay.tally import Fall, Fate
from authguard.observe import Observers
from authguard.policy import Planner, Policy, Scope, Subject
from authguard.stores.memory import MemoryStore
from authguard.stores.resilient import ResilientStore

_SECRET = "only for the counters of one replay"
_MOST_KEYS = 20_000_000
IDENTITY = "identity"
"""Stands for a layer where an account's name can't be counted and the guard answers 400."""


class Stage:
    """Plays records, one after the other, through a guard with one policy.

    The guard, the planner, the store and the detector are those that an application has; only the clock is the log's.
    """

    def __init__(self, policy: Policy, conditions: Conditions, email_rules: EmailRules | None = None) -> None:
        self._policy = policy
        self._conditions = conditions
        self._email_rules = email_rules
        self._clock = ManualClock(0)
        planner = Planner(Pseudonymizer(_SECRET, app="replay"), self._clock)
        observer = Observers()
        store = ResilientStore(MemoryStore(self._clock, _MOST_KEYS), "memory", observer)
        towers = [Watchtower(planner, store, self._seconds) for _ in range(conditions.workers)]
        self._workers = cycle(towers)
        self._guard = Guard({policy.name: policy}, store, planner, observer, watch=self._watch)
        for tower in towers:
            tower.man((policy,), self._guard.shut, observer)
        self._devices: dict[tuple[str, str], str] = {}
        self._values: dict[tuple[str, str | None], dict[Scope, str]] = {}

    def play(self, record: Record) -> Fall:
        """Return what becomes of ``record``; whoever is challenged and solves challenges tries again at once."""
        self._clock.set(record.at)
        try:
            subject = self._subject(record)
        except IdentityError:
            return Fall(Fate.DENIED, (IDENTITY,))
        attempt = self._guard.attempt(self._policy.name, subject, record.secret)
        fall = self._end(record, attempt)
        solves = record.origin is Origin.PEOPLE or self._conditions.attackers is Attackers.SOLVE
        if fall.fate is not Fate.CHALLENGED or not solves:
            return fall
        again = self._guard.attempt(self._policy.name, replace(subject, passed_challenge=True), record.secret)
        then = self._end(record, again)
        return Fall(Fate.SOLVED if then.fate is Fate.PASSED else Fate.DENIED, fall.layers + then.layers)

    def _end(self, record: Record, attempt: Attempt) -> Fall:
        """Settle the attempt as the log says that it ended."""
        layers = attempt.decision.denied if attempt.decision is not None else ()
        if attempt.refused is not None:
            challenged = attempt.refused.refusal is Refusal.CHALLENGE
            return Fall(Fate.CHALLENGED if challenged else Fate.DENIED, layers or (IDENTITY,))
        if attempt.blind or not record.succeeded:
            attempt.fail()
        else:
            attempt.succeed()
        if attempt.blind:
            return Fall(Fate.DENIED, (Scope.AUTHENTICATOR,))
        if record.succeeded and record.account and self._conditions.devices is KnownDevices.PAIRS:
            self._devices.setdefault(_browser(record), f"{len(self._devices):032x}")
        return Fall(Fate.PASSED)

    def _subject(self, record: Record) -> Subject:
        values = self._values_of(record)
        account = record.account or ""
        client = values[Scope.IP]
        device = self._devices.get(_browser(record))
        if device is None or not self._policy.tells_devices_apart:
            return Subject(values, client, account, own_id=values.get(Scope.ID, ""))
        values = {**values, Scope.DEVICE: device}
        return Subject(values, f"device:{device}", account, known=True, own_id=values[Scope.ID])

    def _values_of(self, record: Record) -> dict[Scope, str]:
        key = record.address, record.account
        if key not in self._values:
            values = _address_values(record.address)
            if record.account:
                found = identifier_key(
                    record.account, self._policy.kinds, self._policy.default_region, self._email_rules
                )
                values[Scope.ID] = values[Scope.AUTHENTICATOR] = f"{found.kind}:{found.key}"
            self._values[key] = values
        return self._values[key]

    def _seconds(self) -> float:
        return self._clock.now() / SECOND

    def _watch(self, policy: Policy, subject: Subject, outcome: Outcome) -> None:
        """Tell the outcome to the worker whose turn it is."""
        next(self._workers).watch(policy, subject, outcome)


def _browser(record: Record) -> tuple[str, str]:
    return record.account or "", record.device or record.address


def _address_values(address: str) -> dict[Scope, str]:
    """Return the counting keys of ``address``; what no client can have, as simulated logs do, stands for itself."""
    try:
        keys = address_keys(address)
    except IdentityError:
        return dict.fromkeys((Scope.IP, Scope.SUBNET, Scope.SITE), address)
    return {Scope.IP: keys.ip, Scope.SUBNET: keys.subnet, Scope.SITE: keys.site}
