"""SQLite under faults: the deadline holds, nothing is written by halves, and what is whole again works again."""

from __future__ import annotations

import ctypes
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.errors import ConfigurationError, StoreTimeout, StoreUnavailable
from authguard.stores.base import DEADLINE
from authguard.stores.sqlite import SQLiteStore
from authguard.testing.plans import attempts, left, new_key, plan, spend
from tests.stores.harnesses import PATIENT, count_rows

LATEST = 0.1
"""Seconds by which a call must have come back: twice the default deadline, so that only a hang fails."""
HOLDER = """
import sys
from pathlib import Path
from authguard.stores.sqlite_file import SQLiteFile
def hold(_):
    print("inside", flush=True)
    sys.stdin.read()
SQLiteFile(Path(sys.argv[1]), 30_000_000, 1 << 28).run(hold)
"""
HAMMER = """
import sys
from pathlib import Path
from authguard.stores.sqlite import SQLiteStore
from authguard.testing.plans import attempts, plan
store = SQLiteStore(Path(sys.argv[1]), deadline=30_000_000)
counters = [attempts("1000000/1h", bytes.fromhex(key)) for key in sys.argv[2:]]
print("begun", flush=True)
while True:
    store.decide(plan(*counters))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(path: Path) -> Iterator[SQLiteStore]:
    with closing(SQLiteStore(path, deadline=PATIENT)) as opened:
        yield opened


@contextmanager
def process(code: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Run ``code`` in another process until the block ends, and go on when it says its first line."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline()
            yield child
        finally:
            child.kill()


def time_out(store: SQLiteStore) -> None:
    """Decide, which must time out, and in time."""
    begin = time.monotonic()
    with pytest.raises(StoreTimeout):
        store.decide(plan(attempts()))
    assert DEADLINE / SECOND <= time.monotonic() - begin < LATEST


@pytest.mark.serial
def test_the_deadline_holds_behind_a_stopped_process(path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        spend(store, attempts(), 1)
        with process(HOLDER, str(path)) as holder:
            holder.send_signal(signal.SIGSTOP)
            for _ in range(3):
                time_out(store)
            holder.send_signal(signal.SIGCONT)
            holder.communicate("")
        spend(store, attempts(), 1)


@pytest.mark.serial
def test_the_deadline_holds_behind_a_stopped_process_before_the_first_call(path: Path) -> None:
    with closing(SQLiteStore(path)) as store, process(HOLDER, str(path)) as holder:
        holder.send_signal(signal.SIGSTOP)
        time_out(store)


# The last to close a database has it for itself for a moment, as the second has: even to open it takes waiting then.
@pytest.mark.serial
@pytest.mark.parametrize("hold", ["BEGIN IMMEDIATE", "PRAGMA locking_mode=EXCLUSIVE; CREATE TABLE mine (it)"])
def test_the_deadline_holds_behind_somebody_who_does_not_know_the_lock(path: Path, hold: str) -> None:
    with closing(SQLiteStore(path)) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as shell:
            shell.executescript(hold)
            time_out(store)
        spend(store, attempts(), 1)


@pytest.mark.serial
def test_the_deadline_holds_behind_another_thread(path: Path) -> None:
    with closing(SQLiteStore(path)) as store:
        inside, leave = Event(), Event()

        def hold(_: sqlite3.Cursor) -> None:
            inside.set()
            leave.wait(60)

        thread = Thread(target=store._file.run, args=(hold,))
        thread.start()
        assert inside.wait(60)
        time_out(store)
        leave.set()
        thread.join()
        spend(store, attempts(), 1)


def test_a_killed_holder_keeps_nobody_waiting(path: Path, store: SQLiteStore) -> None:
    with process(HOLDER, str(path)) as holder:
        holder.kill()
        holder.wait()
        spend(store, attempts(), 1)


def test_killed_processes_leave_nothing_half_written(path: Path, store: SQLiteStore) -> None:
    keys = new_key(), new_key(), new_key()
    counters = [attempts("1000000/1h", key) for key in keys]
    for _ in range(5):
        with process(HAMMER, str(path), *(key.hex() for key in keys)) as hammer:
            before = left(store, counters[0])
            while left(store, counters[0]) > before - 20:
                assert hammer.poll() is None
            hammer.kill()
            hammer.wait()
        assert len({left(store, counter) for counter in counters}) == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_an_error_inside_writes_nothing_and_lets_go(path: Path) -> None:
    class Broken(ManualClock):
        broken = False

        def now(self) -> int:
            if self.broken:
                raise RuntimeError("no time")
            return super().now()

    clock = Broken()
    counter = attempts("5/1h")
    with closing(SQLiteStore(path, deadline=PATIENT, clock=clock)) as store:
        spend(store, counter, 1)
        clock.broken = True
        with pytest.raises(RuntimeError):
            store.decide(plan(counter))
        clock.broken = False
        assert left(store, counter) == 4


def test_what_was_written_before_an_error_is_taken_back(path: Path, store: SQLiteStore) -> None:
    def fail_half_way(cursor: sqlite3.Cursor) -> None:
        cursor.execute("INSERT INTO held VALUES (1, 1, x'00')")
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError):
        store._file.run(fail_half_way)
    assert count_rows(path) == 0


def test_a_file_that_was_removed_is_an_outage_until_one_is_there_again(path: Path, store: SQLiteStore) -> None:
    counter = attempts("5/1h")
    spend(store, counter, 2)
    path.unlink()
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"store\.db"):
            store.decide(plan(counter))
    with closing(SQLiteStore(path, deadline=PATIENT)) as newer:
        spend(newer, counter, 1)
        spend(store, counter, 1)
        assert left(newer, counter) == left(store, counter) == 3, "both count in the file that is there now"
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_file_that_becomes_something_else_is_an_outage(path: Path, store: SQLiteStore) -> None:
    spend(store, attempts(), 1)
    other = path.with_name("other")
    other.write_bytes(b"something else altogether" * 1000)
    other.rename(path)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"store\.db"):
            store.decide(plan(attempts()))
    with pytest.raises(ConfigurationError):
        SQLiteStore(path)


def test_a_file_that_is_overwritten_is_an_outage(path: Path, store: SQLiteStore) -> None:
    spend(store, attempts(), 1)
    with closing(sqlite3.connect(path)) as shell:
        shell.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        path.write_bytes(b"something else altogether" * 1000)
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match=r"store\.db"):
            store.decide(plan(attempts()))


def test_a_closed_store_is_not_used_again(store: SQLiteStore) -> None:
    store.close()
    with pytest.raises(StoreUnavailable, match="closed"):
        store.decide(plan(attempts()))


def test_a_fork_that_python_does_not_see_is_refused_in_the_child(store: SQLiteStore) -> None:
    counter = attempts("5/1h")
    spend(store, counter, 1)
    child = ctypes.PyDLL(None).fork()
    if child == 0:
        try:
            store.decide(plan(counter))
        except StoreUnavailable:
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert left(store, counter) == 4


def test_two_stores_of_one_process_share_a_file(path: Path, store: SQLiteStore) -> None:
    counter = attempts("5/1h")
    with closing(SQLiteStore(path, deadline=PATIENT)) as other:
        spend(other, counter, 1)
        spend(store, counter, 1)
    spend(store, counter, 1)
    assert left(store, counter) == 2
