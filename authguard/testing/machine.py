"""Machine: random histories of one store, every answer of which is compared with the model's (Hypothesis)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from authguard.clock import SECOND
from authguard.limits import Algorithm, Counter, Counts, Limit, Mode, Outcome, Plan, Receipt
from authguard.limits.plan import KEY_SIZE, NO_GUESS, NONCE_SIZE, TAG_SIZE
from authguard.testing.history import OpenStore, StoreHistory, history_of
from authguard.testing.model import Model

PERIODS = (10 * SECOND, 30 * SECOND, 60 * SECOND)
WHO = [bytes([i]) * TAG_SIZE for i in (1, 1, 2, 3)]
GUESSES = [b"g1", b"g1", b"g2", NO_GUESS]


def _family(number: int, limit: Limit, **more: Any) -> tuple[Counter, ...]:
    """Return a counter under its old key, under its new one, and under the new one while the old still counts."""
    old, new = (bytes([number, turn]) * (KEY_SIZE // 2) for turn in (1, 2))
    counter = Counter(f"layer{number}", new, limit, **more)
    return replace(counter, key=old), counter, replace(counter, previous=(old,))


FAMILIES = (
    _family(0, Limit(1, PERIODS[0])),
    _family(1, Limit(1, PERIODS[2])),
    _family(2, Limit(1, PERIODS[1]), counts=Counts.FAILURES, joins=True, clears=True),
    _family(3, Limit(1, PERIODS[2]), counts=Counts.FAILURES, joins=True),
    _family(4, Limit(1, PERIODS[1]), counts=Counts.FAILURES, clears=True),
    _family(5, Limit(1, PERIODS[2]), counts=Counts.FAILURES),
    _family(6, Limit(1, PERIODS[1], Algorithm.DISTINCT), counts=Counts.FAILURES, member=WHO[0]),
    _family(7, Limit(1, PERIODS[0], Algorithm.DISTINCT), member=WHO[0]),
)
JOINING = 3 * FAMILIES[2:4]
LONGEST = {counter.key: counter.limit.period for family in FAMILIES for counter in family}
AMOUNTS = st.integers(1, 6)
OUTCOMES = (Outcome.SUCCESS, Outcome.PARTIAL, Outcome.FAILURE)
STEPS = st.one_of(st.integers(0, 3 * SECOND), st.sampled_from([1, *PERIODS, *(period - 1 for period in PERIODS)]))


@st.composite
def counters(draw: st.DrawFn) -> tuple[Counter, ...]:
    """Draw the counters of a plan: some families, each at any stage of a rotation, with any amount, cost and mode."""
    chosen = draw(st.lists(st.sampled_from(FAMILIES + JOINING), min_size=1, max_size=4, unique_by=id))
    drawn = []
    for family in chosen:
        counter = draw(st.sampled_from(family))
        drawn.append(
            replace(
                counter,
                limit=replace(counter.limit, amount=draw(AMOUNTS)),
                mode=draw(st.sampled_from([Mode.ENFORCE, Mode.ENFORCE, *Mode])),
                charges=draw(st.sampled_from([True, True, True, False])),
                **_own(draw, counter),
            )
        )
    return tuple(drawn)


def _own(draw: st.DrawFn, counter: Counter) -> dict[str, Any]:
    if counter.limit.algorithm is Algorithm.DISTINCT:
        return {"member": draw(st.sampled_from(WHO))}
    return {"cost": draw(st.sampled_from([1, 1, 1, 2, 5]))}


class StoreMachine(StoreHistory):
    """Does anything that callers may do, in any order; the clock steps back too."""

    def __init__(self) -> None:
        super().__init__()
        self._model = Model()
        self._plans: list[Plan] = []
        self._receipts: list[Receipt] = []

    @rule(
        counters=counters(),
        who=st.sampled_from(WHO),
        guess=st.sampled_from(GUESSES),
        hold=st.sampled_from([0, 15, 15]),
        times=st.integers(1, 4),
    )
    def decide(self, counters: tuple[Counter, ...], who: bytes, guess: bytes, hold: int, times: int) -> None:
        for _ in range(times):
            nonce = len(self._plans).to_bytes(NONCE_SIZE, "big")
            plan = Plan(counters, who, guess, hold * SECOND, nonce)
            assert self._tested.store.peek(plan).reply == self._model.peek(plan, self._tested.store.now())
            self._plans.append(plan)
            self._ask(plan)

    @precondition(lambda self: self._plans)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        self._ask(data.draw(st.sampled_from(self._plans)))

    @precondition(lambda self: self._receipts)
    @rule(data=st.data(), outcome=st.sampled_from(OUTCOMES))
    def settle(self, data: st.DataObject, outcome: Outcome) -> None:
        receipt = data.draw(st.sampled_from(self._receipts))
        before = self._tested.dump()
        settled = self._tested.store.settle(receipt, outcome)
        assert settled is self._model.settle(receipt, outcome, self._tested.store.now())
        if not settled:
            assert self._tested.dump() == before

    @rule(keys=st.lists(st.sampled_from(list(LONGEST)), max_size=2, unique=True))
    def forget(self, keys: list[bytes]) -> None:
        self._tested.store.forget(keys)
        self._model.forget(keys)

    @rule(step=STEPS)
    def advance(self, step: int) -> None:
        self._tested.advance(step)

    @rule(step=STEPS)
    def step_back(self, step: int) -> None:
        """Step back, but not behind an instant at which something expired: whether that is gone by then is open."""
        now = self._tested.store.now()
        self._tested.advance(max(now - step, self._model.expired(LONGEST, now)) - now)

    def _ask(self, plan: Plan) -> None:
        before = self._tested.dump()
        decision = self._tested.store.decide(plan)
        assert decision.reply == self._model.decide(plan, self._tested.store.now())
        if not decision.allowed:
            assert self._tested.dump() == before, "a denied plan left a trace"
        if decision.receipt is not None and decision.receipt not in self._receipts:
            self._receipts.append(decision.receipt)


def machine_of(open_store: OpenStore) -> type[StoreMachine]:
    """Return the machine for the stores that ``open_store`` opens, each empty; its ``TestCase`` is what pytest runs."""
    return history_of(StoreMachine, open_store)
