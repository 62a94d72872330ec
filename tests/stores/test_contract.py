"""Every store passes the contract suite, on the real thing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from authguard.testing import StoreUnderTest
from authguard.testing.contract import BoundedStoreContract, SharedStoreContract, StoreContract
from tests.stores import harnesses
from tests.stores.histories import histories


class TestMemory(StoreContract, BoundedStoreContract):
    @pytest.fixture
    def tested(self) -> Iterator[StoreUnderTest]:
        with harnesses.memory() as tested:
            yield tested

    @pytest.fixture
    def cramped(self) -> Iterator[StoreUnderTest]:
        with harnesses.memory(max_keys=100) as tested:
            yield tested


class TestSQLite(StoreContract, SharedStoreContract, BoundedStoreContract):
    @pytest.fixture
    def tested(self) -> Iterator[StoreUnderTest]:
        with harnesses.sqlite() as tested:
            yield tested

    @pytest.fixture
    def cramped(self) -> Iterator[StoreUnderTest]:
        with harnesses.sqlite(max_bytes=64 * 1024) as tested:
            yield tested


TestMemoryHistories = histories(harnesses.memory, examples=200)
TestSQLiteHistories = histories(harnesses.sqlite, examples=60)
