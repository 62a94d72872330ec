"""A ledger whose store fails, or does not hear how a reservation ended: nothing is spent twice, nothing unseen."""

from __future__ import annotations

import pytest

from authguard.errors import StoreTimeout, StoreUnavailable
from authguard.limits import Decision, Outcome, Plan, Receipt
from authguard.stores.memory import MemoryStore
from authguard.testing import ManualClock, StoreUnderTest
from tests.spend.desk import Desk, ledger_over, mobile

ANN = mobile(1)


class Failing(MemoryStore):
    """A store that fails when it is told to; a settle may land all the same."""

    fails: type[Exception] | None = None
    lands = True

    def decide(self, plan: Plan) -> Decision:
        self._fail()
        return super().decide(plan)

    def peek(self, plan: Plan) -> Decision:
        self._fail()
        return super().peek(plan)

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        if self.fails is not None and self.lands:
            super().settle(receipt, outcome)
        self._fail()
        return super().settle(receipt, outcome)

    def _fail(self) -> None:
        if self.fails is not None:
            raise self.fails


def test_without_the_store_nothing_is_spent() -> None:
    store = Failing(ManualClock())
    ledger = ledger_over(store)
    reservation = ledger.reserve("sms", ANN)
    store.fails = StoreUnavailable
    with pytest.raises(StoreUnavailable):
        ledger.reserve("sms", ANN)
    with pytest.raises(StoreUnavailable):
        ledger.reserve("sms", ANN, known=True)
    with pytest.raises(StoreUnavailable):
        reservation.dispatch()
    assert ledger.is_spent("sms", known=True)
    assert ledger.verified("sms", ANN, reservation.key) is False


@pytest.mark.parametrize("lands", [True, False])
def test_a_dispatch_that_times_out_sends_nothing_and_may_cost_the_units(lands: bool) -> None:
    store = Failing(ManualClock())
    store.lands = lands
    desk = Desk(StoreUnderTest(store, lambda _: None, lambda: None))
    with desk.ledger.reserve("sms", ANN) as reservation:
        store.fails = StoreTimeout
        with pytest.raises(StoreTimeout):
            reservation.dispatch()
        store.fails = None
    assert desk.left("day") == (4999 if lands else 5000)


def test_an_end_that_the_store_does_not_hear_changes_nothing() -> None:
    store = Failing(ManualClock())
    store.lands = False
    desk = Desk(StoreUnderTest(store, lambda _: None, lambda: None))
    with desk.ledger.reserve("sms", ANN) as reservation:
        reservation.dispatch()
        store.fails = StoreUnavailable
    store.fails = None
    assert desk.left("day") == 4999
    assert reservation.release() is False
