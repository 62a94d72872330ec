"""Decision: what the store said of a plan, and the receipt with which the attempt is settled."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from authguard.drafts import draft_of
from authguard.limits.counting import NEVER, NOT_CHARGED
from authguard.limits.plan import Counter, Mode, Plan

__all__ = ["ANY_TIME", "NEVER", "NOT_CHARGED", "Decision", "Outcome", "Receipt", "Reply", "Verdict"]


new = tuple.__new__
"""``new(Reply, (…))`` makes a named tuple of all its fields in order, in half the time that ``Reply(…)`` takes."""

ANY_TIME = 0
"""The time on a receipt whose holder does not know when the plan was admitted."""


class Verdict(StrEnum):
    """What happens to the request."""

    ALLOW = "allow"
    CHALLENGE = "challenge"
    DENY = "deny"


class Outcome(StrEnum):
    """How an attempt ended: ``SUCCESS``, ``PARTIAL`` or ``FAILURE``; or what becomes of a reservation (law 13).

    ``DISPATCH`` spends it, before the provider is called. ``COMMIT`` makes that final; so does saying nothing.
    ``RELEASE`` gives back what was dispatched, because it certainly was not used; ``CANCEL`` what was not dispatched,
    and so can't take back what somebody with the same nonce has dispatched. ``PROVE`` gives the counters that clear
    their units back: what was sent was welcome.
    """

    __hash__ = str.__hash__  # as in `Algorithm`

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILURE = "failure"
    DISPATCH = "dispatch"
    COMMIT = "commit"
    RELEASE = "release"
    CANCEL = "cancel"
    PROVE = "prove"


class Reply(NamedTuple):
    """What a store returns: numbers, one a counter, in the plan's order.

    ``waits`` are microseconds until the counter alone would admit (0: it does now; ``NEVER``). ``remaining`` is
    what is left after this decision. ``stamps`` are the store's times at which each counter was charged, or
    ``NOT_CHARGED``. ``pending`` counts, for each counter of a denied plan that is full, the charges of attempts that
    are still under way, and the units reserved.
    """

    admitted: bool
    joined: bool
    now: int
    waits: tuple[int, ...]
    remaining: tuple[int, ...]
    stamps: tuple[int, ...]
    pending: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The right to settle one admitted attempt, once.

    ``at`` is when it was admitted: of the plans admitted one after the other with one nonce, the receipt is for that
    one. ``ANY_TIME`` is for whichever there is.
    """

    plan: Plan
    stamps: tuple[int, ...]
    at: int = ANY_TIME


_Draft = draft_of(Receipt)


class Decision(NamedTuple):
    """A store's reply, read in the words of the plan."""

    plan: Plan
    reply: Reply

    @property
    def allowed(self) -> bool:
        """True when the request may go on; every enforcing counter has been charged then."""
        return self.reply.admitted

    @property
    def verdict(self) -> Verdict:
        """``DENY`` when any enforcing layer is full, ``CHALLENGE`` when only step-up layers are."""
        if self.reply.admitted:
            return Verdict.ALLOW
        modes = {counter.mode for counter, wait in self._full()}
        return Verdict.DENY if Mode.ENFORCE in modes else Verdict.CHALLENGE

    @property
    def denied(self) -> tuple[str, ...]:
        """Names of the layers that denied or asked for a challenge, in the plan's order."""
        return tuple(counter.layer for counter, _ in self._full() if counter.mode is not Mode.SHADOW)

    @property
    def shadow_denied(self) -> tuple[str, ...]:
        """Names of the shadow layers that would have denied."""
        return tuple(counter.layer for counter, _ in self._full() if counter.mode is Mode.SHADOW)

    @property
    def retry_after(self) -> int | None:
        """Microseconds after which the whole plan would be admitted, absent other traffic.

        0 when it was admitted, ``None`` when it never will be because a cost is above a capacity. Exact: one
        microsecond earlier it would still be denied. Attempts under way are taken as failed.
        """
        if self.reply.admitted:
            return 0
        waits = [wait for counter, wait in self._full() if counter.mode is not Mode.SHADOW]
        return None if NEVER in waits else max(waits)

    @property
    def remaining(self) -> dict[str, int]:
        """What is left in each layer, after this decision."""
        return {counter.layer: left for counter, left in zip(self.plan.counters, self.reply.remaining, strict=True)}

    @property
    def waitable(self) -> bool:
        """True when each full layer is full only because of attempts that are still under way."""
        return not self.reply.admitted and all(
            pending > 0 and wait != NEVER
            for counter, wait, pending in zip(self.plan.counters, self.reply.waits, self.reply.pending, strict=True)
            if wait and counter.mode is not Mode.SHADOW
        )

    @property
    def receipt(self) -> Receipt | None:
        """What settles the attempt; ``None`` when it was denied or holds nothing to settle."""
        if not self.reply.admitted or not self.plan.hold:
            return None
        draft = _Draft()
        draft.plan, draft.stamps, draft.at = self.plan, self.reply.stamps, self.reply.now
        draft.__class__ = Receipt
        made: Receipt = draft
        return made

    def _full(self) -> list[tuple[Counter, int]]:
        return [(c, wait) for c, wait in zip(self.plan.counters, self.reply.waits, strict=True) if wait]
