"""Plan: the counters that one request touches, decided and charged together."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from authguard.drafts import draft_of
from authguard.limits.limit import Algorithm, Limit
from authguard.limits.nonce import SIZE, draw_nonce

KEY_SIZE = 16
"""Bytes in a counter's key."""
TAG_SIZE = 7
"""Bytes in the tag that says who made an entry (a client and account, or a distinct member)."""
GUESS_SIZE = 2
"""Bytes kept of the keyed hash of a tried secret; few, so that nobody can read the secret out of the store."""
NONCE_SIZE = SIZE
NO_TAG = bytes(TAG_SIZE)
NO_GUESS = bytes(GUESS_SIZE)
REPLAY_WINDOW = 10_000_000
"""Microseconds for which a store remembers the nonce of a plan that holds no attempt, at least."""


class Counts(StrEnum):
    """What a counter counts."""

    __hash__ = str.__hash__  # as in `Algorithm`

    ATTEMPTS = "attempts"
    FAILURES = "failures"
    RESERVATIONS = "reservations"


class Mode(StrEnum):
    """What a full counter does to the request."""

    ENFORCE = "enforce"
    STEP_UP = "step-up"
    SHADOW = "shadow"


@dataclass(frozen=True, slots=True)
class Counter:
    """One counter of a plan.

    ``key`` is 16 bytes and already a pseudonym; it names scope, identity, layer, lane and algorithm, never the
    limit. ``previous`` are keys of the same counter under a retiring pepper: what stands there counts too.
    ``member`` (7 bytes) is what a distinct counter counts. A counter that ``joins`` lets the same guess by the
    same client stand for one charge; one that ``clears`` forgets that client's failures when it succeeds. One
    that doesn't ``charge`` is only looked at: in shadow it tells what stands there, enforcing it is a gate that
    others open and shut. ``lease`` is how many units a process may take at once to serve from memory (0: none), and
    one that is ``apart`` may be kept elsewhere than the others; stores that know of neither count it as any other.
    """

    layer: str
    key: bytes
    limit: Limit
    cost: int = 1
    counts: Counts = Counts.ATTEMPTS
    mode: Mode = Mode.ENFORCE
    member: bytes = NO_TAG
    joins: bool = False
    clears: bool = False
    charges: bool = True
    previous: tuple[bytes, ...] = ()
    lease: int = 0
    apart: bool = False
    timed: bool = field(init=False, repr=False, compare=False)
    """Whether it is a sliding log of attempts, of which a store need know no more than the times of its charges."""
    simple: bool = field(init=False, repr=False, compare=False)
    """Whether it counts one attempt by a plain algorithm, under one key: most do, and it can be looked at by itself."""

    def __post_init__(self) -> None:
        attempts = self.counts is Counts.ATTEMPTS
        simple = attempts and self.limit.algorithm not in _INVOLVED and self.charges and self.cost == 1
        object.__setattr__(self, "timed", attempts and self.limit.algorithm is Algorithm.SLIDING_LOG)
        object.__setattr__(self, "simple", simple and not self.previous)
        if len(self.key) != KEY_SIZE or len(self.member) != TAG_SIZE:
            raise ValueError("a counter's key has 16 bytes and its member 7")
        if self.cost < 1:
            raise ValueError("a counter that costs nothing is left out of the plan")
        if self.counts is Counts.FAILURES and self.limit.algorithm not in COUNTING_FAILURES:
            raise ValueError("only the sliding log and distinct counting can count failures")
        if self.limit.algorithm is Algorithm.DISTINCT and (self.cost != 1 or self.member == NO_TAG):
            raise ValueError("distinct counting needs a member and costs 1")
        if self.counts is Counts.RESERVATIONS and self.limit.algorithm is not Algorithm.BUDGET:
            raise ValueError("only a budget can be reserved")
        is_log = self.counts is Counts.FAILURES and self.limit.algorithm is Algorithm.SLIDING_LOG
        if (self.joins and not is_log) or (self.clears and not is_log and self.counts is not Counts.RESERVATIONS):
            raise ValueError("only a sliding log of failures can join, and only that or a reservation can clear")

    def under(self, key: bytes, cost: int, mode: Mode, member: bytes, previous: tuple[bytes, ...]) -> Counter:
        """Return this counter with what a request brings, unchecked: one like it was checked, and the sizes are fixed.

        A plan has a dozen counters, and to make a frozen value field by field would be half of what a plan costs.
        """
        draft = _Draft()
        draft.layer, draft.limit, draft.counts = self.layer, self.limit, self.counts
        draft.joins, draft.clears, draft.charges = self.joins, self.clears, self.charges
        draft.lease, draft.apart, draft.timed = self.lease, self.apart, self.timed
        draft.simple = self.simple and cost == 1 and not previous
        draft.key, draft.cost, draft.mode, draft.member, draft.previous = key, cost, mode, member, previous
        draft.__class__ = Counter
        made: Counter = draft
        return made


_Draft = draft_of(Counter)

COUNTING_FAILURES = frozenset({Algorithm.SLIDING_LOG, Algorithm.DISTINCT})
_INVOLVED = frozenset({Algorithm.DISTINCT, Algorithm.BUDGET})
"""Algorithms that ask more of a counter or its plan than a limit, a cost and the time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one request asks of the store: all of ``counters`` are charged, or none.

    ``client`` (7 bytes) tags this client on this very account; ``guess`` (2 bytes) the secret it tries there.
    ``hold`` is how many microseconds the attempt may stay unsettled before it counts as failed for good, and a
    reservation undispatched before it is void; 0 means that nothing will be settled. ``nonce`` makes a repetition of
    the same plan count once. ``keep`` is how many microseconds it does so at least, once the plan can't be void any
    more: from a dispatch on, and from the decision where there is no hold.
    """

    counters: tuple[Counter, ...]
    client: bytes = NO_TAG
    guess: bytes = NO_GUESS
    hold: int = 0
    nonce: bytes = field(default_factory=draw_nonce)
    keep: int = 0

    def __post_init__(self) -> None:
        if len(self.client) != TAG_SIZE or len(self.guess) != GUESS_SIZE or len(self.nonce) != NONCE_SIZE:
            raise ValueError("a plan's client tag has 7 bytes, its guess 2 and its nonce 16")
        keys = [counter.key for counter in self.counters]
        for counter in self.counters:
            keys += counter.previous
        if len(set(keys)) != len(keys):
            raise ValueError("a plan names a counter twice")

    @staticmethod
    def drawn(counters: tuple[Counter, ...], client: bytes, guess: bytes, hold: int) -> Plan:
        """Return a plan with a fresh nonce, unchecked: for counters of one policy, which has none twice.

        See :meth:`Counter.under`.
        """
        draft = _PlanDraft()
        draft.counters, draft.client, draft.guess, draft.hold = counters, client, guess, hold
        draft.nonce, draft.keep = draw_nonce(), 0
        draft.__class__ = Plan
        made: Plan = draft
        return made

    @property
    def remembered(self) -> int:
        """Microseconds for which the store keeps this plan's nonce, and with it the right to settle."""
        asked = self.hold or self.keep
        if asked > REPLAY_WINDOW:
            return asked
        return REPLAY_WINDOW

    @property
    def kept(self) -> int:
        """Microseconds for which the store keeps the nonce of this plan once it was dispatched."""
        return max(self.hold, self.keep, REPLAY_WINDOW)

    @property
    def tag(self) -> bytes:
        """What tells this plan's reservations from others: 7 bytes of the nonce."""
        return self.nonce[:TAG_SIZE]


_PlanDraft = draft_of(Plan)
