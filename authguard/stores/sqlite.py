"""The SQLite store: counters in a file that the processes of one machine share. The default, and in need of no server.

One row a counter and one a nonce, in one table: a decision is one query, one batch of writes and one commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from sqlite3 import Connection
from typing import Self, TypeVar

from authguard.clock import Clock, SystemClock
from authguard.errors import StoreFull
from authguard.limits import Decision, Outcome, Plan, Receipt, engine, record
from authguard.limits.record import Phase, Record
from authguard.stores.base import DEADLINE
from authguard.stores.replay import pack_record, unpack_record
from authguard.stores.sqlite_file import SQLiteFile
from authguard.stores.sqlite_rows import Row, Sweeper, drop, overwrite, read, write
from authguard.stores.sqlite_start import path_of, prepare

LARGEST = 256 * 1024 * 1024
"""Bytes that the database may grow to, unless configured otherwise: about a million counters."""
SWEPT_WHEN_FULL = 2_000
"""Rows looked at before a full file is given up, a millisecond or so: a flood must not slow down everybody else."""

T = TypeVar("T")


class SQLiteStore:
    """Keeps its counters in one file of at most ``max_bytes``; when full only expired ones make room (law 15).

    Commits are handed to the system and not forced to the disk: killed processes lose nothing, a power cut may lose
    the file's last seconds, or damage it so that the next start asks to delete it. Either costs at most one extra
    budget (law 2). The deadline covers all waiting for others, stopped ones too, but not a disk that hangs.
    """

    def __init__(
        self, path: Path, *, deadline: int = DEADLINE, clock: Clock | None = None, max_bytes: int = LARGEST
    ) -> None:
        """Make the file at ``path`` or check the one there; ``deadline`` is in microseconds.

        Raises ``ConfigurationError`` with one sentence when the file can't be used.
        """
        path = path.absolute()
        prepare(path)
        self._file = SQLiteFile(path, deadline, max_bytes)
        self._clock = clock or SystemClock()
        self._sweeper = Sweeper()

    @classmethod
    def from_url(cls, url: str, *, deadline: int = DEADLINE, clock: Clock | None = None) -> Self:
        """Open the store that ``sqlite:///relative/path`` or ``sqlite:////absolute/path`` names.

        Raises ``ConfigurationError`` with one sentence when the URL or the file can't be used.
        """
        return cls(path_of(url), deadline=deadline, clock=clock)

    def decide(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`. Raises ``StoreFull`` at the bound of the file."""
        return self._with_room(partial(self._decide, plan))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`."""
        return self._with_room(partial(self._settle, receipt, outcome))

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        return self._file.run(partial(self._peek, plan))

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._file.run(lambda connection: drop(connection, keys, self._clock.now()))

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._clock.now()

    def close(self) -> None:
        """See :class:`~authguard.stores.base.Store`."""
        self._file.close()

    def _with_room(self, action: Callable[[Connection], T]) -> T:
        try:
            return self._file.run(action)
        except StoreFull:
            self._file.run(lambda connection: self._sweeper.sweep(connection, SWEPT_WHEN_FULL, self._clock.now()))
            return self._file.run(action)

    def _decide(self, plan: Plan, connection: Connection) -> Decision:
        now, nonce = self._clock.now(), _nonce(plan)
        held = read(connection, (nonce, *_keys(plan)), now)
        seen = held.get(nonce)
        if seen is not None and seen[0] != Phase.RELEASED:
            return Decision(plan, unpack_record(seen).reply)
        reply, changes = engine.decide(plan, _gather(plan, held, now), now)
        if reply.admitted:
            remembered = (nonce, now + plan.remembered, pack_record(Record(reply)))
            self._apply(plan, changes, held, now, connection, remembered)
        return Decision(plan, reply)

    def _settle(self, receipt: Receipt, outcome: Outcome, connection: Connection) -> bool:
        plan = receipt.plan
        now, nonce = self._clock.now(), _nonce(plan)
        held = read(connection, (nonce, *_keys(plan)), now)
        seen = held.get(nonce)
        if seen is None:
            return False
        settled = record.settle(unpack_record(seen), receipt, outcome, _gather(plan, held, now), now)
        if settled is None:
            return False
        overwrite(connection, nonce, pack_record(settled.record), now + settled.lifetime)
        self._apply(plan, settled.changes, held, now, connection)
        return True

    def _peek(self, plan: Plan, connection: Connection) -> Decision:
        now = self._clock.now()
        states = _gather(plan, read(connection, _keys(plan), now), now)
        return Decision(plan, engine.decide(plan, states, now)[0])

    def _apply(
        self,
        plan: Plan,
        changes: Sequence[engine.Change],
        held: dict[bytes, bytes],
        now: int,
        connection: Connection,
        *more: Row,
    ) -> None:
        rows, gone = list(more), []
        for index, state, lifetime in changes:
            counter = plan.counters[index]
            if state:
                rows.append((counter.key, now + lifetime, state))
            else:
                gone.append(counter.key)
            gone += (key for key in counter.previous if key in held)
        if rows:
            write(connection, rows)
            self._sweeper.follow(connection, len(rows), now)
        if gone:
            drop(connection, gone, now)


def _nonce(plan: Plan) -> bytes:
    """Return the key of the plan's nonce.

    It is longer than a counter's, so that the two never meet, and begins like that of the first counter, so that the
    two rows are neighbours: they mostly share a page, and a decision writes one page less.
    """
    return (plan.counters[0].key if plan.counters else b"") + plan.nonce


def _keys(plan: Plan) -> list[bytes]:
    return [key for counter in plan.counters for key in (counter.key, *counter.previous)]


def _gather(plan: Plan, held: dict[bytes, bytes], now: int) -> list[bytes]:
    return [
        engine.gather(counter, [held.get(key, b"") for key in (counter.key, *counter.previous)], now)
        if counter.previous
        else held.get(counter.key, b"")
        for counter in plan.counters
    ]
