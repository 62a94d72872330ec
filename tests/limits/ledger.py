"""A ledger: many counters driven by the engine, as a store would drive them, in a dictionary."""

from __future__ import annotations

from dataclasses import replace

from authguard.limits import Algorithm, Counter, Counts, Decision, Limit, Outcome, Plan, Receipt, engine
from authguard.limits.plan import KEY_SIZE, NO_GUESS, NO_TAG, TAG_SIZE
from tests.limits.tally import SECOND


def key(number: int) -> bytes:
    """Return the key of counter ``number``."""
    return bytes([number]) * KEY_SIZE


def tag(number: int) -> bytes:
    """Return the tag of client, or of member, ``number``."""
    return bytes([number]) * TAG_SIZE


def attempts(number: int, limit: Limit, cost: int = 1) -> Counter:
    """Return a counter of attempts."""
    return Counter(f"layer{number}", key(number), limit, cost)


def failures(number: int, limit: Limit, joins: bool = False, clears: bool = False, cost: int = 1) -> Counter:
    """Return a counter of failures."""
    return Counter(f"layer{number}", key(number), limit, cost, Counts.FAILURES, joins=joins, clears=clears)


def distinct(number: int, amount: int, period: int, member: bytes, counts: Counts = Counts.FAILURES) -> Counter:
    """Return a counter of distinct members."""
    limit = Limit(amount, period, Algorithm.DISTINCT)
    return Counter(f"layer{number}", key(number), limit, counts=counts, member=member)


def plan(*counters: Counter, client: bytes = NO_TAG, guess: bytes = NO_GUESS, hold: int = 30 * SECOND) -> Plan:
    """Return a plan that holds an attempt."""
    return Plan(counters, client, guess, hold)


class Ledger:
    """States, and until when each lives."""

    def __init__(self) -> None:
        self.states: dict[bytes, tuple[bytes, int]] = {}

    def peek(self, plan: Plan, now: int) -> Decision:
        """Decide, and change nothing."""
        return Decision(plan, engine.decide(plan, self._gather(plan, now), now)[0])

    def left(self, now: int, *counters: Counter) -> tuple[int, ...]:
        """Return what is left in ``counters``, before anything is charged."""
        return self.peek(plan(*(replace(counter, charges=False) for counter in counters)), now).reply.remaining

    def decide(self, plan: Plan, now: int) -> Decision:
        """Decide, and charge."""
        reply, changes = engine.decide(plan, self._gather(plan, now), now)
        self._apply(plan, changes, now)
        return Decision(plan, reply)

    def settle(self, receipt: Receipt | None, outcome: Outcome, now: int) -> None:
        """Settle."""
        assert receipt is not None
        self._apply(receipt.plan, engine.settle(receipt, outcome, self._gather(receipt.plan, now), now), now)

    def _gather(self, plan: Plan, now: int) -> list[bytes]:
        return [engine.gather(c, [self._living(k, now) for k in (c.key, *c.previous)], now) for c in plan.counters]

    def _living(self, key: bytes, now: int) -> bytes:
        state, expires = self.states.get(key, (b"", 0))
        return state if now < expires else b""

    def _apply(self, plan: Plan, changes: list[engine.Change], now: int) -> None:
        for position, state, lifetime in changes:
            counter = plan.counters[position]
            for old in counter.previous:
                self.states.pop(old, None)
            if state:
                self.states[counter.key] = (state, now + lifetime)
            else:
                self.states.pop(counter.key, None)
