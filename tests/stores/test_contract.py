"""Every store passes the contract suite, on the real thing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

from authguard.testing import StoreUnderTest
from authguard.testing.contract import BoundedStoreContract, SharedStoreContract, StoreContract
from authguard.testing.machine import machine_of
from tests.stores import harnesses


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


TestMemoryHistories = machine_of(harnesses.memory).TestCase
TestMemoryHistories.settings = settings(TestMemoryHistories.settings, max_examples=400)
TestSQLiteHistories = machine_of(harnesses.sqlite).TestCase
TestSQLiteHistories.settings = settings(TestSQLiteHistories.settings, max_examples=100)
