"""Random histories of reservations, on every store."""

from __future__ import annotations

from authguard.testing.spending_machine import SpendingMachine
from tests.stores import harnesses
from tests.stores.histories import histories
from tests.stores.test_contract_redis import open_tested, server

__all__ = ["server"]

TestMemorySpending = histories(harnesses.memory, 200, SpendingMachine)
TestSQLiteSpending = histories(harnesses.sqlite, 60, SpendingMachine)
TestRedisSpending = histories(open_tested, 40, SpendingMachine)
