"""Spending machine: random histories of budgets in one store, every answer of which is compared with the model's."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from authguard.clock import SECOND
from authguard.limits import Algorithm, Counter, Counts, Limit, Mode, Outcome, Plan, Receipt
from authguard.limits.plan import NONCE_SIZE
from authguard.testing.history import OpenStore, StoreHistory, history_of
from authguard.testing.spending_model import SpendingModel

PERIODS = (60 * SECOND, 90 * SECOND, 600 * SECOND)
HOLD = 15 * SECOND
BUDGETS = tuple(
    Counter(
        f"budget{number}",
        b"budget-number-%02d" % number,
        Limit(5, period, Algorithm.BUDGET),
        counts=Counts.RESERVATIONS,
        clears=clears,
    )
    for number, (period, clears) in enumerate([(PERIODS[0], False), (PERIODS[1], True), (PERIODS[2], False)])
)
STEPS = st.one_of(
    st.integers(0, 3 * SECOND),
    st.integers(0, 3 * SECOND),
    st.sampled_from([0, 1, HOLD - 1, HOLD, 40 * SECOND, *PERIODS, *(period + period // 60 for period in PERIODS)]),
)


@st.composite
def counters(draw: st.DrawFn) -> tuple[Counter, ...]:
    """Draw the counters of a plan, of any amount, cost and mode."""
    chosen = draw(st.lists(st.sampled_from(BUDGETS), min_size=1, max_size=3, unique_by=id))
    return tuple(
        replace(
            counter,
            limit=replace(counter.limit, amount=draw(st.integers(1, 6))),
            cost=draw(st.sampled_from([1, 1, 1, 2, 3, 7])),
            mode=draw(st.sampled_from([Mode.ENFORCE, Mode.ENFORCE, Mode.SHADOW])),
            charges=draw(st.sampled_from([True, True, True, False])),
        )
        for counter in chosen
    )


class SpendingMachine(StoreHistory):
    """Reserves, dispatches and gives back in any order; time only passes."""

    def __init__(self) -> None:
        super().__init__()
        self._model = SpendingModel()
        self._plans: list[Plan] = []
        self._receipts: list[Receipt] = []

    @rule(counters=counters(), hold=st.sampled_from([0, HOLD, HOLD, HOLD]), keep=st.sampled_from([0, 100 * SECOND]))
    def reserve(self, counters: tuple[Counter, ...], hold: int, keep: int) -> None:
        plan = Plan(counters, hold=hold, nonce=len(self._plans).to_bytes(NONCE_SIZE, "big"), keep=keep)
        assert self._tested.store.peek(plan).reply == self._model.peek(plan, self._tested.store.now())
        self._plans.append(plan)
        self._ask(plan)

    @precondition(lambda self: self._plans)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        self._ask(data.draw(st.sampled_from(self._plans[-6:])))

    @precondition(lambda self: self._receipts)
    @rule()
    def dispatch(self) -> None:
        self._settle(self._receipts[-1], Outcome.DISPATCH)

    @precondition(lambda self: self._receipts)
    @rule(data=st.data(), outcome=st.sampled_from(Outcome))
    def settle(self, data: st.DataObject, outcome: Outcome) -> None:
        self._settle(data.draw(st.sampled_from(self._receipts[-2:])), outcome)

    @rule(step=STEPS)
    def advance(self, step: int) -> None:
        self._tested.advance(step)

    def _settle(self, receipt: Receipt, outcome: Outcome) -> None:
        before = self._tested.dump()
        settled = self._tested.store.settle(receipt, outcome)
        assert settled is self._model.settle(receipt, outcome, self._tested.store.now())
        if not settled:
            assert self._tested.dump() == before

    def _ask(self, plan: Plan) -> None:
        decision = self._tested.store.decide(plan)
        assert decision.reply == self._model.decide(plan, self._tested.store.now())
        if decision.receipt is not None and decision.receipt not in self._receipts:
            self._receipts.append(decision.receipt)


def spending_machine_of(open_store: OpenStore) -> type[SpendingMachine]:
    """Return the machine for the stores that ``open_store`` opens, each empty; its ``TestCase`` is what pytest runs."""
    return history_of(SpendingMachine, open_store)
