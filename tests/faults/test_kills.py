"""Workers are killed between charge and settle: charges survive as failures, none is lost, none doubles."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random

import pytest

from authguard.testing.plans import left
from tests.faults.storm import Storm
from tests.faults.worker import ACCOUNTS, LIMIT, counters_of
from tests.servers.redis import RedisServer

SECONDS = float(os.environ.get("AUTHGUARD_KILL_SECONDS", "60"))

# Both storms rage at once, in one test process.
pytestmark = [pytest.mark.xdist_group("kills"), pytest.mark.timeout(SECONDS + 120)]


@pytest.fixture(scope="module")
def storms() -> Iterator[dict[str, Storm]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(RedisServer())
        raging = {}
        for name, url in (("sqlite", f"sqlite:///{folder / 'store.db'}"), ("redis", server.url)):
            (folder / name).mkdir()
            raging[name] = Storm(url, folder / name, Random(name))
            stack.enter_context(closing(raging[name].store))
        with ThreadPoolExecutor(len(raging)) as pool:
            list(pool.map(lambda storm: storm.rage(SECONDS), raging.values()))
        yield raging


@pytest.mark.parametrize("name", ["sqlite", "redis"])
def test_what_stands_is_what_was_charged_and_not_given_back(storms: dict[str, Storm], name: str) -> None:
    storm = storms[name]
    failed, tried, _ = storm.expected()
    for account in range(ACCOUNTS):
        failures, attempts = counters_of(account)
        assert LIMIT - left(storm.store, failures) == failed[account]
        assert LIMIT - left(storm.store, attempts) == tried[account]


@pytest.mark.parametrize("name", ["sqlite", "redis"])
def test_the_storm_hit_what_it_was_to_hit(storms: dict[str, Storm], name: str) -> None:
    storm = storms[name]
    _, tried, orphans = storm.expected()
    assert storm.kills > 2 * SECONDS
    assert orphans > SECONDS
    assert tried.total() > 20 * SECONDS
    # Cut off in the middle of a call, of which some had landed and some had not.
    assert storm.repeated.total() >= SECONDS // 30
