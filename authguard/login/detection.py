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
from typing import NamedTuple

from authguard.events import AlarmEnded, AlarmRaised, Observer
from authguard.limits import Outcome
from authguard.login.census import Census, Headcount
from authguard.policy import Planner, Policy, Scope, Subject
from authguard.stores.resilient import ResilientStore


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """When a detector raises its alarm and when it ends.

    Looks at the last ``window`` seconds. Raised when at least ``minimum`` different accounts failed and none of their
    tries came through, and they are more than ``above`` of all accounts seen; ended when they are fewer than ``below``
    of all, or than half of ``minimum``. While it stands the gate is shut again every ``renewal`` seconds.
    """

    window: float = 300.0
    minimum: int = 20
    above: float = 0.30
    below: float = 0.15
    renewal: float = 60.0


SENSITIVITIES = (Sensitivity(), Sensitivity(minimum=10, above=0.60), Sensitivity(window=3600.0))
"""Minutes show an attack before the day's logins dilute it, an hour one that takes its time. Where most accounts fail,
ten are enough: if one in seven does by itself, ten of sixteen do once in eighty thousand times."""


class _Turn(Enum):
    RAISED = auto()
    RENEWED = auto()
    ENDED = auto()


class Detector:
    """Watches the outcomes of one policy, and has the gate shut while they look like an attack.

    The share of accounts that fail is counted in different accounts, so that an attacker's own logins, however many,
    dilute it by one each. Whether an account exists plays no part (law 8): that share is told to the operator only.
    ``shut`` shuts the gate for all processes.
    """

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
        self.start()

    def start(self) -> None:
        """Begin anew, as a forked child does: with no alarm of its own."""
        self._lock = Lock()
        self._checked: deque[list[float]] = deque(maxlen=60)
        self._alarmed = False
        self._renew_at = 0.0

    @property
    def window(self) -> float:
        """How many seconds it looks back."""
        return self._sensitivity.window

    def note(self, seen: Headcount) -> None:
        """Take note of what stands in the window now."""
        now = self._clock()
        with self._lock:
            turn = self._turn(seen, now)
            event = self._event(turn, seen, now)
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

    def _turn(self, seen: Headcount, now: float) -> _Turn | None:
        rules, failing = self._sensitivity, seen.failing
        share = failing / max(1, failing + seen.succeeding)
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

    def _event(self, turn: _Turn | None, seen: Headcount, now: float) -> AlarmRaised | AlarmEnded | None:
        name = self._policy.name
        if turn is _Turn.RAISED:
            return AlarmRaised(name, seen.failing, seen.succeeding, self._unknown(now))
        return AlarmEnded(name) if turn is _Turn.ENDED else None

    def _unknown(self, now: float) -> float | None:
        recent = [row for row in self._checked if now - row[0] * 60 < self._sensitivity.window + 60]
        checked = sum(row[1] for row in recent)
        return sum(row[2] for row in recent) / checked if checked else None


class Watchtower:
    """The detectors of all policies that have a gate, one for each of :data:`SENSITIVITIES`.

    A guard tells it every outcome, and shuts what they ask it to. Each raises and ends an alarm of its own; what they
    go by is counted in ``store``, for all processes.
    """

    def __init__(self, planner: Planner, store: ResilientStore, clock: Callable[[], float] = monotonic) -> None:
        self._planner = planner
        self._store = store
        self._clock = clock
        self._posts: dict[str, _Post] = {}
        _ALIVE.add(self)

    def man(self, policies: Iterable[Policy], shut: Callable[[Policy], object], observer: Observer) -> None:
        """Begin to watch those of ``policies`` that have a gate to ``shut``."""
        windows = [each.window for each in SENSITIVITIES]
        self._posts = {
            policy.name: _Post(
                Census(policy.name, windows, self._planner, self._store),
                tuple(Detector(policy, shut, observer, each, self._clock) for each in SENSITIVITIES),
            )
            for policy in policies
            if policy.gates
        }

    def watch(self, policy: Policy, subject: Subject, outcome: Outcome) -> None:
        """Note what an attempt came to.

        A right password is one, whatever factor is to come: who checks that, and whether it is told here, is the
        application's choice, and where it is not all of a site's accounts would seem to fail. It dilutes no more than a
        login without a second factor: by one account, whose password has to be known.
        """
        post = self._posts.get(policy.name)
        if post is None:
            return
        # Not what was typed: one account has many spellings, and each would dilute the failing ones.
        tag = self._planner.tag("detection", subject.values.get(Scope.AUTHENTICATOR) or subject.account)
        network = subject.values.get(Scope.SITE, "")
        seen = post.census.note(tag, subject.client, network, outcome is not Outcome.FAILURE, self._clock())
        for detector in post.detectors:
            if detector.window in seen:
                detector.note(seen[detector.window])

    def note_password(self, known: bool) -> None:
        """Note a checked password, for whichever policy it was."""
        for post in self._posts.values():
            for detector in post.detectors:
                detector.note_password(known)

    def start(self) -> None:
        """Begin anew, as a forked child does."""
        for post in self._posts.values():
            post.census.start()
            for detector in post.detectors:
                detector.start()


class _Post(NamedTuple):
    census: Census
    detectors: tuple[Detector, ...]


_ALIVE: weakref.WeakSet[Watchtower] = weakref.WeakSet()


def _start_anew() -> None:
    for tower in _ALIVE:
        tower.start()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_start_anew)
