"""Detection: sprays and stuffing seen by the share of accounts that fail, whoever tries them and from wherever."""

from __future__ import annotations

import os
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from threading import Lock
from time import monotonic

from authguard.events import AlarmEnded, AlarmRaised, Observer
from authguard.limits import Outcome
from authguard.login.sample import Sample
from authguard.policy import Planner, Policy, Scope, Subject


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """When a detector raises its alarm and when it ends.

    Looks at the last ``window`` seconds. Raised when at least ``minimum`` different accounts failed and none of their
    tries came through, and they are more than ``above`` of all accounts seen; ended when they are fewer than ``below``
    of all, or than half of ``minimum``. While it stands the gate is shut again every ``renewal`` seconds. ``capacity``
    is how many accounts are told apart; above that a sample is.
    """

    window: float = 300.0
    minimum: int = 20
    above: float = 0.30
    below: float = 0.15
    renewal: float = 60.0
    capacity: int = 4096


SENSITIVITIES = (Sensitivity(), Sensitivity(minimum=10, above=0.60), Sensitivity(window=3600.0))
"""Minutes show an attack before the day's logins dilute it, an hour one that takes its time. Where most accounts fail,
ten are enough: if one in seven does by itself, ten of sixteen do once in eighty thousand times."""


class _Turn(Enum):
    RAISED = auto()
    RENEWED = auto()
    ENDED = auto()


class Detector:
    """Watches the outcomes of one policy in this process, and has the gate shut while they look like an attack.

    The share of accounts that fail is counted in different accounts, so that an attacker's own logins, however many,
    dilute it by one each. Whether an account exists plays no part (law 8): that share is told to the operator only.
    ``shut`` shuts the gate for all processes.
    """

    _alarmed: bool
    _renew_at: float

    def __init__(
        self,
        policy: Policy,
        shut: Callable[[Policy], object],
        observer: Observer,
        sensitivity: Sensitivity | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._policy = policy
        self._shut = shut
        self._observer = observer
        self._sensitivity = sensitivity or Sensitivity()
        self._clock = clock
        self._start()
        _ALIVE.add(self)

    def note(self, tag: bytes, succeeded: bool) -> None:
        """Take note of one account's outcome; ``tag`` stands for the account."""
        now = self._clock()
        with self._lock:
            self._sample.note(tag, succeeded, now)
            turn = self._turn(now)
            event = self._event(turn, now)
        if turn in (_Turn.RAISED, _Turn.RENEWED):
            self._shut(self._policy)
        if event is not None:
            self._observer.observe(event)

    def note_password(self, known: bool) -> None:
        """Take note of a checked password, and whether there was an account for it."""
        now = self._clock()
        with self._lock:
            minute = now // 60
            if not self._checked or self._checked[-1][0] != minute:
                self._checked.append([minute, 0, 0])
            self._checked[-1][1] += 1
            self._checked[-1][2] += not known

    def _turn(self, now: float) -> _Turn | None:
        rules, failing = self._sensitivity, self._sample.failing
        share = failing / max(1, failing + self._sample.succeeding)
        if not self._alarmed:
            if failing < rules.minimum or share <= rules.above:
                return None
            self._alarmed = True
            self._renew_at = now + rules.renewal
            return _Turn.RAISED
        if failing < rules.minimum / 2 or share < rules.below:
            self._alarmed = False
            return _Turn.ENDED
        if now < self._renew_at:
            return None
        self._renew_at = now + rules.renewal
        return _Turn.RENEWED

    def _event(self, turn: _Turn | None, now: float) -> AlarmRaised | AlarmEnded | None:
        name, sample = self._policy.name, self._sample
        if turn is _Turn.RAISED:
            return AlarmRaised(name, sample.failing, sample.succeeding, self._unknown(now))
        return AlarmEnded(name) if turn is _Turn.ENDED else None

    def _unknown(self, now: float) -> float | None:
        recent = [row for row in self._checked if now - row[0] * 60 < self._sensitivity.window + 60]
        checked = sum(row[1] for row in recent)
        return sum(row[2] for row in recent) / checked if checked else None

    def _start(self) -> None:
        self._lock = Lock()
        self._sample = Sample(self._sensitivity.window, self._sensitivity.capacity)
        self._checked: deque[list[float]] = deque(maxlen=60)
        self._alarmed = False
        self._renew_at = 0.0


class Watchtower:
    """The detectors of all policies that have a gate, one for each of :data:`SENSITIVITIES`.

    A guard tells it every outcome, and shuts what they ask it to. Each raises and ends an alarm of its own.
    """

    def __init__(self, planner: Planner, clock: Callable[[], float] = monotonic) -> None:
        self._planner = planner
        self._clock = clock
        self._detectors: dict[str, tuple[Detector, ...]] = {}

    def man(self, policies: Iterable[Policy], shut: Callable[[Policy], object], observer: Observer) -> None:
        """Begin to watch those of ``policies`` that have a gate to ``shut``."""
        self._detectors = {
            policy.name: tuple(Detector(policy, shut, observer, each, self._clock) for each in SENSITIVITIES)
            for policy in policies
            if policy.gates
        }

    def watch(self, policy: Policy, subject: Subject, outcome: Outcome) -> None:
        """Note what an attempt came to; a first factor alone says nothing yet."""
        detectors = self._detectors.get(policy.name, ())
        if detectors and outcome is not Outcome.PARTIAL:
            # Not what was typed: one account has many spellings, and each would dilute the failing ones.
            tag = self._planner.tag("detection", subject.values.get(Scope.AUTHENTICATOR) or subject.account)
            for detector in detectors:
                detector.note(tag, outcome is Outcome.SUCCESS)

    def note_password(self, known: bool) -> None:
        """Note a checked password, for whichever policy it was."""
        for detectors in self._detectors.values():
            for detector in detectors:
                detector.note_password(known)


_ALIVE: weakref.WeakSet[Detector] = weakref.WeakSet()


def _start_anew() -> None:
    """Let a forked child's detectors begin with what they see themselves."""
    for detector in _ALIVE:
        detector._start()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
