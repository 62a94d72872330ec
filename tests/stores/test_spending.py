"""Random histories of reservations, on every store."""

from __future__ import annotations

import unittest

import pytest
from hypothesis import settings

from authguard.testing.machine import OpenStore
from authguard.testing.spending_machine import spending_machine_of
from tests.stores import harnesses
from tests.stores.histories import SHRINKING
from tests.stores.test_contract_redis import open_tested, server

__all__ = ["server"]


def spendings(open_store: OpenStore, examples: int) -> type[unittest.TestCase]:
    """Return a test of ``examples`` random histories."""
    case: type[unittest.TestCase] = spending_machine_of(open_store).TestCase
    case.settings = settings(case.settings, max_examples=examples)  # type: ignore[attr-defined]
    case.pytestmark = [pytest.mark.timeout(SHRINKING)]  # type: ignore[attr-defined]
    return case


TestMemorySpending = spendings(harnesses.memory, examples=200)
TestSQLiteSpending = spendings(harnesses.sqlite, examples=60)
TestRedisSpending = spendings(open_tested, examples=40)
