"""SQLite's sweep: the traffic alone keeps the file free of expired rows, a few at a time."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from authguard.clock import SECOND, ManualClock
from authguard.errors import StoreFull
from authguard.limits import Algorithm, Limit
from authguard.stores.sqlite import SQLiteStore
from authguard.testing.plans import MINUTE, attempts, failures, left, spend
from tests.stores.harnesses import PATIENT, count_rows


def test_expired_rows_are_swept_by_the_traffic_alone(tmp_path: Path) -> None:
    clock = ManualClock()
    counter = attempts(Limit(1_000_000, MINUTE, Algorithm.FIXED_WINDOW))
    with closing(SQLiteStore(tmp_path / "store.db", deadline=PATIENT, clock=clock)) as store:
        for _ in range(500):
            spend(store, failures("5/1m"), 1)
        clock.advance(MINUTE)
        for _ in range(1000):
            spend(store, counter, 1)
            clock.advance(SECOND // 10)
        assert count_rows(tmp_path / "store.db") < 300, (
            "some hundred nonces of the last ten seconds, twice at most, and one counter"
        )


def test_the_sweep_leaves_living_rows_alone(tmp_path: Path) -> None:
    clock = ManualClock()
    living = [attempts("5/1h") for _ in range(100)]
    with closing(SQLiteStore(tmp_path / "store.db", deadline=PATIENT, clock=clock)) as store:
        for counter in living:
            spend(store, counter, 1)
        clock.advance(59 * MINUTE)
        for _ in range(300):
            spend(store, attempts("5/1s"), 1)
            clock.advance(SECOND // 10)
        assert [left(store, counter) for counter in living] == [4] * 100


def fill(store: SQLiteStore, most: int = 1000) -> bool:
    """Charge new counters until the file is full; ``False`` when there is room for ``most``."""
    for _ in range(most):
        try:
            spend(store, attempts("5/1m"), 1)
        except StoreFull:
            return True
    return False


def test_room_is_made_while_the_deadline_lasts_and_not_after_it(tmp_path: Path) -> None:
    path, clock, size = tmp_path / "store.db", ManualClock(), 32 * 1024
    with closing(SQLiteStore(path, deadline=PATIENT, clock=clock, max_bytes=size)) as store:
        assert fill(store)
        clock.advance(MINUTE)
        with closing(SQLiteStore(path, deadline=0, clock=clock, max_bytes=size)) as late:
            assert fill(late)
        assert not fill(store, 100)
