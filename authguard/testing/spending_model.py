"""Spending model: reservations said a second time, as plainly as can be: a list of units, each with its own end.

It shares nothing with the engine but the values that go in and come out. Time may not step back in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from authguard.limits import Counter, Mode, Outcome, Plan, Receipt
from authguard.limits.decision import NEVER, NOT_CHARGED, Reply


@dataclass(frozen=True, slots=True)
class Units:
    """What one plan took of one budget: ``ends`` is when it counts no longer, ``spent`` whether it was dispatched."""

    owner: object
    layer: str
    number: int
    ends: int
    spent: bool


@dataclass(slots=True)
class Known:
    """A plan that was admitted: its reply, until when that is known, what became of it, and whose its units are."""

    reply: Reply
    until: int
    owner: object
    phase: str = "open"


class SpendingModel:
    """What a store should answer to plans over budgets."""

    def __init__(self) -> None:
        self._units: dict[bytes, list[Units]] = {}
        self._known: dict[bytes, Known] = {}

    def decide(self, plan: Plan, now: int) -> Reply:
        """Return the reply to ``plan``, and charge it."""
        known = self._known.get(plan.nonce)
        if known is not None and now < known.until and known.phase != "released":
            return known.reply
        reply = self.peek(plan, now)
        if reply.admitted:
            remembered = plan.hold or plan.keep
            known = Known(reply, now + max(remembered, 10_000_000), object())
            self._known[plan.nonce] = known
            for counter, stamp in zip(plan.counters, reply.stamps, strict=True):
                if stamp != NOT_CHARGED:
                    ends = now + plan.hold if plan.hold else _spent_until(counter, now)
                    self._charge(counter, Units(known.owner, counter.layer, counter.cost, ends, not plan.hold))
        return reply

    def peek(self, plan: Plan, now: int) -> Reply:
        """Return what :meth:`decide` would reply to a plan that it does not know."""
        waits = tuple(self._wait(counter, now) for counter in plan.counters)
        admitted = all(not wait or c.mode is Mode.SHADOW for c, wait in zip(plan.counters, waits, strict=True))
        charged = [admitted and not w and c.charges for c, w in zip(plan.counters, waits, strict=True)]
        lefts = [max(0, c.limit.amount - self.taken(c, now)) for c in plan.counters]
        columns = list(zip(plan.counters, waits, charged, lefts, strict=True))
        return Reply(
            admitted,
            False,
            now,
            waits,
            tuple(left - counter.cost if yes else left for counter, _, yes, left in columns),
            tuple(now if yes else NOT_CHARGED for _, _, yes, _ in columns),
            tuple(self._reserved(c, now) if wait and not admitted else 0 for c, wait, _, _ in columns),
        )

    def settle(self, receipt: Receipt, outcome: Outcome, now: int) -> bool:
        """Settle a plan, if it is its turn."""
        known = self._known.get(receipt.plan.nonce)
        if known is None or now >= known.until or known.reply.now != receipt.at:
            return False
        steps = _STEPS.get((known.phase, outcome))
        if steps is None or (outcome is Outcome.DISPATCH and not self._dispatch(receipt.plan, known, now)):
            return False
        known.phase = steps
        if outcome in (Outcome.CANCEL, Outcome.RELEASE):
            self._drop(known, {counter.layer for counter in receipt.plan.counters})
        elif outcome is Outcome.PROVE:
            self._drop(known, {counter.layer for counter in receipt.plan.counters if counter.clears})
        return True

    def taken(self, counter: Counter, at: int) -> int:
        """Return how many units count at ``at``."""
        return sum(units.number for units in self._all(counter) if at < units.ends)

    def _dispatch(self, plan: Plan, known: Known, now: int) -> bool:
        if now >= known.reply.now + plan.hold:
            return False
        by_layer = {counter.layer: counter for counter in plan.counters}
        for key, held in self._units.items():
            self._units[key] = [
                replace(units, ends=_spent_until(by_layer[units.layer], now), spent=True)
                if units.owner is known.owner
                else units
                for units in held
            ]
        known.until = max(known.until, now + max(plan.hold, plan.keep, 10_000_000))
        return True

    def _drop(self, known: Known, layers: set[str]) -> None:
        for key, held in self._units.items():
            self._units[key] = [u for u in held if u.owner is not known.owner or u.layer not in layers]

    def _all(self, counter: Counter) -> list[Units]:
        return [units for key in (counter.key, *counter.previous) for units in self._units.get(key, [])]

    def _charge(self, counter: Counter, units: Units) -> None:
        self._units[counter.key] = [*self._all(counter), units]
        for key in counter.previous:
            self._units.pop(key, None)

    def _wait(self, counter: Counter, now: int) -> int:
        if counter.cost > counter.limit.amount:
            return NEVER
        instants = [now, *(units.ends for units in self._all(counter) if units.ends > now)]
        return min(at - now for at in instants if self.taken(counter, at) + counter.cost <= counter.limit.amount)

    def _reserved(self, counter: Counter, now: int) -> int:
        return sum(units.number for units in self._all(counter) if now < units.ends and not units.spent)


_STEPS = {
    ("open", Outcome.SUCCESS): "settled",
    ("open", Outcome.PARTIAL): "settled",
    ("open", Outcome.FAILURE): "settled",
    ("open", Outcome.DISPATCH): "dispatching",
    ("open", Outcome.CANCEL): "released",
    ("dispatching", Outcome.COMMIT): "committed",
    ("dispatching", Outcome.RELEASE): "released",
    ("dispatching", Outcome.PROVE): "settled",
    ("committed", Outcome.PROVE): "settled",
}


def _spent_until(counter: Counter, now: int) -> int:
    """Return when units spent now count no longer: a period after the last microsecond of their sixtieth of one."""
    width = -(-counter.limit.period // 60)
    return (now // width + 1) * width - 1 + counter.limit.period
