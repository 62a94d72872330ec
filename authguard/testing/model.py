"""Model: the contract said a second time, as plainly as can be: lists of tuples, no encodings, no cleverness.

It shares nothing with the engine but the values that go in and come out. It counts failures and attempts by the
sliding log, and distinct members; it keeps every entry for ever and asks of each whether it stands.
"""

from __future__ import annotations

from typing import NamedTuple

from authguard.limits import Algorithm, Counter, Counts, Mode, Outcome, Plan, Receipt
from authguard.limits.decision import NEVER, NOT_CHARGED, Reply
from authguard.limits.plan import NO_GUESS


class Entry(NamedTuple):
    """One unit charged: when, by whom (or which member), with which guess, and whether the attempt is under way."""

    at: int
    who: bytes
    guess: bytes
    open: bool


class Admitted(NamedTuple):
    """A plan that was admitted: what was replied, until when that is remembered, and whether it was settled."""

    reply: Reply
    until: int
    settled: bool


class Model:
    """What a store should answer."""

    def __init__(self) -> None:
        self._entries: dict[bytes, list[Entry]] = {}
        self._admitted: dict[bytes, Admitted] = {}

    def decide(self, plan: Plan, now: int) -> Reply:
        """Return the reply to ``plan``, and charge it."""
        known = self._admitted.get(plan.nonce)
        if known is not None and now < known.until:
            return known.reply
        reply = self.peek(plan, now)
        if reply.admitted:
            self._admitted[plan.nonce] = Admitted(reply, now + plan.remembered, False)
            for counter, stamp in zip(plan.counters, reply.stamps, strict=True):
                if stamp != NOT_CHARGED:
                    self._put(counter, self._all(counter) + [_entry(plan, counter, stamp)] * counter.cost)
        return reply

    def peek(self, plan: Plan, now: int) -> Reply:
        """Return what :meth:`decide` would reply to a plan that it does not know."""
        joined = plan.guess != NO_GUESS and self._joins(plan, now)
        spared = [joined and counter.counts is Counts.FAILURES for counter in plan.counters]
        waits = [0 if free else self._wait(counter, now) for counter, free in zip(plan.counters, spared, strict=True)]
        admitted = all(wait == 0 or c.mode is Mode.SHADOW for c, wait in zip(plan.counters, waits, strict=True))
        charged = [
            admitted and wait == 0 and not free and counter.charges
            for counter, wait, free in zip(plan.counters, waits, spared, strict=True)
        ]
        return Reply(
            admitted,
            joined,
            now,
            tuple(waits),
            tuple(self._left(c, now, after=yes) for c, yes in zip(plan.counters, charged, strict=True)),
            tuple(
                self._effective(c, now) if yes else NOT_CHARGED for c, yes in zip(plan.counters, charged, strict=True)
            ),
            tuple(
                self._pending(c, now, plan.hold) if wait and not admitted else 0
                for c, wait in zip(plan.counters, waits, strict=True)
            ),
        )

    def settle(self, receipt: Receipt, outcome: Outcome, now: int) -> bool:
        """Settle an attempt, once."""
        plan = receipt.plan
        known = self._admitted.get(plan.nonce)
        if known is None or now >= known.until or known.settled or receipt.at != known.reply.now:
            return False
        self._admitted[plan.nonce] = known._replace(settled=True)
        for counter, stamp in zip(plan.counters, receipt.stamps, strict=True):
            if counter.counts is Counts.FAILURES:
                before = self._all(counter)
                after = _settled(before, plan, counter, stamp, outcome)
                if after != before:
                    self._put(counter, after)
        return True

    def forget(self, keys: list[bytes]) -> None:
        """Empty counters."""
        for key in keys:
            self._entries.pop(key, None)

    def expired(self, periods: dict[bytes, int], now: int) -> int:
        """Return the latest instant at or before ``now`` at which anything expired, or 0."""
        instants = [e.at + periods[key] for key, entries in self._entries.items() for e in entries]
        instants += [known.until for known in self._admitted.values()]
        return max((instant for instant in instants if instant <= now), default=0)

    def _all(self, counter: Counter) -> list[Entry]:
        return sorted(
            (e for key in (counter.key, *counter.previous) for e in self._entries.get(key, [])), key=lambda e: e.at
        )

    def _put(self, counter: Counter, entries: list[Entry]) -> None:
        self._entries[counter.key] = entries
        self.forget(list(counter.previous))

    def _effective(self, counter: Counter, now: int) -> int:
        """Return ``now``, or the time of the last entry where the clock has stepped back behind it."""
        return max([now, *(e.at for e in self._all(counter))])

    def _standing(self, counter: Counter, now: int) -> list[Entry]:
        at = self._effective(counter, now)
        return [e for e in self._all(counter) if at < e.at + counter.limit.period]

    def _joins(self, plan: Plan, now: int) -> bool:
        """Return whether the same guess stands, and will when the counters of attempts admit the plan."""
        enforcing = [c for c in plan.counters if c.counts is Counts.ATTEMPTS and c.mode is not Mode.SHADOW]
        admits = now + max([0, *(self._wait(counter, now) for counter in enforcing)])
        return any(
            counter.joins and (plan.client, plan.guess) in {(e.who, e.guess) for e in self._standing(counter, admits)}
            for counter in plan.counters
        )

    def _taken(self, counter: Counter, at: int, newcomer: bool) -> int:
        """Return how much is taken at ``at``, the counter's own cost or member included when ``newcomer``."""
        standing = self._standing(counter, at)
        if counter.limit.algorithm is Algorithm.DISTINCT:
            return len({e.who for e in standing} | ({counter.member} if newcomer else set()))
        return len(standing) + (counter.cost if newcomer else 0)

    def _wait(self, counter: Counter, now: int) -> int:
        """Try every instant at which something expires."""
        if counter.cost > counter.limit.amount:
            return NEVER
        instants = [now, *(e.at + counter.limit.period for e in self._standing(counter, now))]
        return min(instant - now for instant in instants if self._admits(counter, instant))

    def _admits(self, counter: Counter, at: int) -> bool:
        if counter.limit.algorithm is Algorithm.DISTINCT and counter.member in {
            e.who for e in self._standing(counter, at)
        }:
            return True
        return self._taken(counter, at, newcomer=True) <= counter.limit.amount

    def _left(self, counter: Counter, now: int, after: bool) -> int:
        return max(0, counter.limit.amount - self._taken(counter, now, newcomer=after))

    def _pending(self, counter: Counter, now: int, hold: int) -> int:
        at = self._effective(counter, now)
        return sum(e.open and at < e.at + hold for e in self._standing(counter, now))


def _entry(plan: Plan, counter: Counter, stamp: int) -> Entry:
    if counter.limit.algorithm is Algorithm.DISTINCT:
        return Entry(stamp, counter.member, NO_GUESS, counter.counts is Counts.FAILURES and plan.hold > 0)
    if counter.counts is Counts.ATTEMPTS:
        return Entry(stamp, b"", NO_GUESS, False)
    return Entry(stamp, plan.client, plan.guess, True)


def _settled(entries: list[Entry], plan: Plan, counter: Counter, stamp: int, outcome: Outcome) -> list[Entry]:
    """Return the entries after the attempt that charged its own at ``stamp`` ended with ``outcome``."""
    entries = list(entries)
    own = _entry(plan, counter, stamp)._replace(open=True)
    for _ in range(counter.cost):
        if own in entries:
            place = entries.index(own)
            entries[place : place + 1] = [own._replace(open=False)] if outcome is Outcome.FAILURE else []
    if outcome is Outcome.SUCCESS and counter.clears:
        entries = [e for e in entries if e.who != plan.client]
    return entries
