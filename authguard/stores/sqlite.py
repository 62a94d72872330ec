"""The SQLite store: counters in a file that the processes of one machine share. The default, and in need of no server.

One row a counter and one a nonce, in one table: a decision is one query, one batch of writes and one commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from sqlite3 import Cursor
from time import monotonic_ns
from typing import NamedTuple, Self, TypeVar

from authguard.clock import Clock, SystemClock
from authguard.errors import StoreFull
from authguard.limits import Decision, Outcome, Plan, Receipt, engine, record
from authguard.limits.plan import NONCE_SIZE
from authguard.limits.record import Phase, Record
from authguard.stores.base import DEADLINE
from authguard.stores.replay import pack_record, unpack_record
from authguard.stores.sqlite_file import SQLiteFile
from authguard.stores.sqlite_rows import Row, Sweeper, drop, overwrite, place, place_beside, read, write
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
        return self._with_room(partial(self._decide, plan, _places(plan)))

    def settle(self, receipt: Receipt, outcome: Outcome) -> bool:
        """See :class:`~authguard.stores.base.Store`."""
        return self._with_room(partial(self._settle, receipt, _places(receipt.plan), outcome))

    def peek(self, plan: Plan) -> Decision:
        """See :class:`~authguard.stores.base.Store`."""
        return self._file.run(partial(self._peek, plan, _places(plan)))

    def forget(self, keys: Sequence[bytes]) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._file.run(lambda cursor: drop(cursor, map(place, keys), self._clock.now()))

    def now(self) -> int:
        """See :class:`~authguard.stores.base.Store`."""
        return self._clock.now()

    def close(self) -> None:
        """See :class:`~authguard.stores.base.Store`."""
        self._file.close()

    def _with_room(self, action: Callable[[Cursor], T]) -> T:
        until = self._file.until()
        try:
            return self._file.run(action, until)
        except StoreFull:
            if monotonic_ns() >= until:
                raise
            self._file.run(lambda cursor: self._sweeper.sweep(cursor, SWEPT_WHEN_FULL, self._clock.now()), until)
            return self._file.run(action, until)

    def _decide(self, plan: Plan, places: Sequence[int], cursor: Cursor) -> Decision:
        now = self._clock.now()
        look = _Look(plan, now, places, read(cursor, places, now))
        known = look.record()
        if known is not None and known.phase != Phase.RELEASED:
            return Decision(plan, known.reply)
        reply, changes = engine.decide(plan, look.states(), look.now)
        if reply.admitted:
            remembered = look.now + plan.remembered
            self._apply(look, changes, cursor, (look.places[0], remembered, pack_record(Record(reply)) + plan.nonce))
        return Decision(plan, reply)

    def _settle(self, receipt: Receipt, places: Sequence[int], outcome: Outcome, cursor: Cursor) -> bool:
        plan = receipt.plan
        now = self._clock.now()
        look = _Look(plan, now, places, read(cursor, places, now))
        known = look.record()
        settled = known and record.settle(known, receipt, outcome, look.states(), look.now)
        if settled is None:
            return False
        overwrite(cursor, look.places[0], pack_record(settled.record) + plan.nonce, look.now + settled.lifetime)
        self._apply(look, settled.changes, cursor)
        return True

    def _peek(self, plan: Plan, places: Sequence[int], cursor: Cursor) -> Decision:
        now = self._clock.now()
        look = _Look(plan, now, places, read(cursor, places, now))
        return Decision(plan, engine.decide(plan, look.states(), look.now)[0])

    def _apply(self, look: _Look, changes: Sequence[engine.Change], cursor: Cursor, *more: Row) -> None:
        rows, gone = list(more), look.merged(changes)
        for index, state, lifetime in changes:
            if state:
                rows.append((look.places[index + 1], look.now + lifetime, state))
            else:
                gone.append(look.places[index + 1])
        if rows:
            write(cursor, rows)
            self._sweeper.follow(cursor, len(rows), look.now)
        if gone:
            drop(cursor, gone, look.now)


class _Look(NamedTuple):
    """What stood in the file at the time ``now``: at the places of the nonce, the counters and their older keys."""

    plan: Plan
    now: int
    places: Sequence[int]
    found: Sequence[bytes | None]

    def record(self) -> Record | None:
        """Return what is remembered of the plan."""
        packed = self.found[0]
        return unpack_record(packed[:-NONCE_SIZE]) if packed and packed.endswith(self.plan.nonce) else None

    def states(self) -> list[bytes]:
        """Return one state a counter, gathered from its key and its older ones."""
        counters = self.plan.counters
        states = [state or b"" for state in self.found[1:]]
        if len(states) == len(counters):
            return states
        older = iter(states[len(counters) :])
        return [
            engine.gather(counter, [state, *islice(older, len(counter.previous))], self.now)
            for counter, state in zip(counters, states, strict=False)
        ]

    def merged(self, changes: Sequence[engine.Change]) -> list[int]:
        """Return the places of older keys whose content is part of the changes."""
        counters = self.plan.counters
        first = len(counters) + 1
        if len(self.places) == first:
            return []
        changed = {index for index, _, _ in changes}
        owners = (index for index, counter in enumerate(counters) for _ in counter.previous)
        older = zip(owners, self.places[first:], self.found[first:], strict=True)
        return [place for owner, place, state in older if state and owner in changed]


def _places(plan: Plan) -> list[int]:
    """Return the places of the nonce, of the counters, and of their older keys, in this order."""
    places = [place(counter.key) for counter in plan.counters]
    places.insert(0, place_beside(places[0] if places else 0, plan.nonce))
    for counter in plan.counters:
        if counter.previous:
            places += map(place, counter.previous)
    return places
