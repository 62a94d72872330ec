"""Settling through the resilient store: where the charge is, once, and never as an exception."""

from __future__ import annotations

import pytest

from authguard.clock import SECOND
from authguard.errors import StoreUnavailable
from authguard.events import StoreFaulted, StoreSkipped
from authguard.limits import Outcome
from authguard.testing.plans import account, failures, left
from tests.faults.scripted import Rig


def test_what_is_charged_in_the_process_is_settled_there() -> None:
    rig, counter = Rig(), account("8/1h")
    rig.store.fault = StoreUnavailable()
    receipts = [rig.attempt(counter) for _ in range(4)]
    rig.store.fault = None
    rig.clock.advance(SECOND)
    asked = rig.store.calls
    assert [rig.resilient.settle(receipt, Outcome.PARTIAL) for receipt in receipts] == [True] * 4
    assert [rig.resilient.settle(receipt, Outcome.PARTIAL) for receipt in receipts] == [False] * 4
    assert rig.store.calls == asked
    rig.store.fault = StoreUnavailable()
    assert [rig.decide(counter).allowed for _ in range(5)] == [True] * 4 + [False]


def test_a_settle_that_the_store_misses_leaves_a_failure() -> None:
    rig, counter = Rig(), failures("5/1h")
    receipts = [rig.attempt(counter) for _ in range(5)]
    rig.store.fault = StoreUnavailable()
    assert [rig.resilient.settle(receipt, Outcome.SUCCESS) for receipt in receipts] == [False] * 5
    assert rig.recorder.events[-1] == StoreSkipped("redis", "settle")
    rig.store.fault = None
    assert left(rig.store, counter) == 0


def test_a_settle_never_raises() -> None:
    rig = Rig()
    receipt = rig.attempt(failures())
    rig.store.fault = ZeroDivisionError()
    assert rig.resilient.settle(receipt, Outcome.SUCCESS) is False
    assert rig.recorder.events == [StoreFaulted("redis", "settle", "error")]
    rig.store.fault = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        rig.resilient.settle(receipt, Outcome.SUCCESS)


def test_settling_finds_out_that_the_store_is_back() -> None:
    rig = Rig()
    receipt = rig.attempt(failures())
    rig.store.fault = StoreUnavailable()
    for _ in range(3):
        rig.decide(failures())
    rig.store.fault = None
    rig.clock.advance(SECOND)
    assert rig.resilient.settle(receipt, Outcome.SUCCESS)
    assert rig.resilient.health().up
