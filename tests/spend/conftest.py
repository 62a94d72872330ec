"""Fixtures: the ledger over each store."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from authguard.testing import StoreUnderTest
from tests.spend.desk import Desk
from tests.stores import harnesses
from tests.stores.test_contract_redis import open_tested, server

__all__ = ["server"]

_STORES = {"memory": harnesses.memory, "sqlite": harnesses.sqlite, "redis": open_tested}


@pytest.fixture
def tested() -> Iterator[StoreUnderTest]:
    """A store in memory."""
    with harnesses.memory() as opened:
        yield opened


@pytest.fixture(params=list(_STORES))
def every_store(request: pytest.FixtureRequest) -> Iterator[StoreUnderTest]:
    """Each store, one after the other."""
    with _STORES[request.param]() as opened:
        yield opened


@pytest.fixture
def desk(tested: StoreUnderTest) -> Desk:
    """A desk over a store in memory."""
    return Desk(tested)
