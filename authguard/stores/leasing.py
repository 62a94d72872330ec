"""Leasing: a store of whose big, loose limits this process takes blocks and serves them from memory."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from authguard.limits import Counter, Decision, Outcome, Plan, Receipt
from authguard.limits.decision import NOT_CHARGED, Reply
from authguard.limits.plan import NONCE_SIZE
from authguard.stores.base import Store, Unasked
from authguard.stores.lease import Lease, Leases, can_lease
from authguard.stores.partial_plan import part_of, receipt_of, unspent, whole_of

CALLS = 2
"""Store calls that a decision may take: a second one where a block is refused, but one unit may not be."""


@dataclass(slots=True)
class _Draft:
    """One decision while it is made: what leases serve by position, and which positions ask for a block."""

    plan: Plan
    served: dict[int, Lease] = field(default_factory=dict)
    asking: set[int] = field(default_factory=set)


class LeasingStore:
    """Leaves counters that a lease covers out of the store call, and takes the next block along with a call.

    The store is charged for a block before any of it is used. Where a lease is used after the store has forgotten its
    charge, that is: over the edge of a window, at most one block for each process is admitted beyond the limit, and at
    most one for each is denied that need not be, since another process holds it unused.
    """

    def __init__(self, store: Store, leases: Leases | None = None) -> None:
        self._store = store
        self._leases = Leases() if leases is None else leases

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`; no call at all where leases cover the whole plan.

        A plan that is decided again under its nonce takes its unit of a lease again, or of a block: a unit too many is
        counted, never one too few.
        """
        places = _places(plan)
        if not places:
            return self._store.decide(plan)
        draft = _Draft(plan)
        try:
            decision = self._decide(draft, places)
        except BaseException:
            # A block that was asked for may have been charged all the same: to ask again at once may waste another.
            self._give_back(draft, self._leases.rest)
            raise
        if not decision.allowed:
            self._give_back(draft, self._leases.leave)
        return decision

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`. What is leased counts attempts, which no outcome gives back."""
        return self._store.settle(receipt_of(receipt), outcome)

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        found = {place: self._leases.look(plan.counters[place]) for place in _places(plan)}
        draft = _Draft(plan, {place: lease for place, lease in found.items() if lease is not None})
        if not draft.served:
            return self._store.peek(plan)
        if len(draft.served) == len(plan.counters):
            return self._serve(draft, used=1)
        return self._whole(draft, self._store.peek(part_of(plan, _rest(draft), plan.nonce)), used=1)

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        gone = self._store.forget(keys)
        for key in keys:
            self._leases.forget(key)
        return gone

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._store.now()

    def close(self) -> None:
        """Close the store; what is left of the leases stays charged."""
        self._store.close()

    def _decide(self, draft: _Draft, places: Sequence[int]) -> Decision:
        plan = draft.plan
        for place in places:
            lease = self._leases.take(plan.counters[place])
            if lease is not None:
                draft.served[place] = lease
            elif self._leases.ask(plan.counters[place]):
                draft.asking.add(place)
        if len(draft.served) == len(plan.counters):
            return self._serve(draft)
        if draft.asking:
            decision = self._with_blocks(draft)
            if decision is not None:
                return decision
        if not draft.served:
            return self._store.decide(plan)
        return self._whole(draft, self._store.decide(part_of(plan, _rest(draft), _nonce(draft))))

    def _with_blocks(self, draft: _Draft) -> Decision | None:
        """Decide with a block in place of one request's cost; ``None`` where a block is what had no room."""
        taken = self._leases.time()
        # A nonce of its own: the reply to a repetition would bring the same block twice.
        part = self._store.decide(part_of(draft.plan, _rest(draft), secrets.token_bytes(NONCE_SIZE)))
        reply, remaining = part.reply, list(part.reply.remaining)
        positions = (place for place in range(len(draft.plan.counters)) if place not in draft.served)
        refused = []
        for column, place in enumerate(positions):
            counter = draft.plan.counters[place]
            if place not in draft.asking:
                continue
            if part.allowed:
                self._leases.put(counter, _lease_of(counter, column, reply, taken))
                remaining[column] += counter.lease - counter.cost
                draft.asking.discard(place)
            elif reply.waits[column]:
                refused.append(place)
        for place in refused:
            self._leases.rest(draft.plan.counters[place])
            draft.asking.discard(place)
        if refused:
            self._stop_asking(draft, self._leases.leave)
            return None
        return self._whole(draft, Decision(part.plan, reply._replace(remaining=tuple(remaining))))

    def _serve(self, draft: _Draft, used: int = 0) -> Decision:
        """Return the decision on a plan that leases cover alone; ``used`` times its cost is not taken yet."""
        plan, leases = draft.plan, [draft.served[place] for place in range(len(draft.plan.counters))]
        size = len(leases)
        now = max(lease.now + self._leases.time() - lease.taken for lease in leases)
        left = tuple(
            lease.units + lease.behind - used * counter.cost
            for lease, counter in zip(leases, plan.counters, strict=True)
        )
        reply = Reply(True, False, now, (0,) * size, left, tuple(lease.stamp for lease in leases), (0,) * size)
        return Unasked(plan, reply)

    def _whole(self, draft: _Draft, part: Decision, used: int = 0) -> Decision:
        """Return the decision on the whole plan; ``used`` times its cost is not taken yet."""
        used -= not part.allowed
        if not part.allowed:
            part = Decision(part.plan, unspent(part.plan.counters, part.reply))
        columns = {
            place: (
                0,
                lease.units + lease.behind - used * draft.plan.counters[place].cost,
                lease.stamp if part.allowed else NOT_CHARGED,
            )
            for place, lease in draft.served.items()
        }
        return whole_of(draft.plan, part, columns, admitted=part.allowed)

    def _give_back(self, draft: _Draft, stop: Callable[[Counter], None]) -> None:
        for place in draft.served:
            self._leases.give(draft.plan.counters[place])
        self._stop_asking(draft, stop)

    def _stop_asking(self, draft: _Draft, stop: Callable[[Counter], None]) -> None:
        for place in draft.asking:
            stop(draft.plan.counters[place])
        draft.asking.clear()


def _places(plan: Plan) -> tuple[int, ...]:
    """Return which counters leases may cover: none where an attempt would be left with nothing to settle."""
    places = tuple(place for place, counter in enumerate(plan.counters) if counter.lease and can_lease(counter))
    return () if plan.hold and len(places) == len(plan.counters) else places


def _rest(draft: _Draft) -> list[Counter]:
    """Return the counters that the store is asked about, with a block for each that asks for one."""
    return [
        replace(counter, cost=counter.lease) if place in draft.asking else counter
        for place, counter in enumerate(draft.plan.counters)
        if place not in draft.served
    ]


def _lease_of(counter: Counter, column: int, reply: Reply, taken: int) -> Lease:
    """Return the lease of what a block, asked for at ``taken``, leaves beyond the request's own cost."""
    units, ends = counter.lease - counter.cost, taken + counter.limit.period
    return Lease(counter.limit, units, ends, reply.remaining[column], reply.stamps[column], reply.now, taken)


def _nonce(draft: _Draft) -> bytes:
    """Return a nonce that belongs to the plan and to what leases serve of it: other columns are another reply."""
    mask = sum(1 << place for place in draft.served)
    return (int.from_bytes(draft.plan.nonce) ^ mask).to_bytes(NONCE_SIZE)
