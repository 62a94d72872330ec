"""Histories: whatever is called in whatever order, whoever dies at it and whatever time it is, the ledger is right."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from authguard.clock import SECOND
from authguard.errors import StoreTimeout
from authguard.limits import Limit
from authguard.spend import Breaker, Channel, Kind, Reservation, SpendDenied, budget
from authguard.testing.history import StoreHistory
from tests.spend.desk import HOUR, MINUTE, Desk, mobile
from tests.spend.reference import Reference, Spent, Use
from tests.spend.unheard import Line, Unheard
from tests.stores import harnesses
from tests.stores.histories import histories
from tests.stores.test_contract_redis import open_tested

CHANNEL = Channel(
    "api",
    caps={"hour": budget("9/1h"), "minutes": budget("5/5m")},
    known_share=30,
    stranger_share=30,
    known_after=7 * MINUTE,
    destination=budget("4/1h"),
    hold=30 * SECOND,
    keep=10 * MINUTE,
)
PHONES = replace(
    CHANNEL,
    kind=Kind.PHONE,
    countries={"GB": budget("2/1h")},
    country=budget("3/1h"),
    range_limit=budget("2/1h"),
    breaker=Breaker(floor=1, window=10 * MINUTE, life=SECOND, rest=5 * MINUTE),
)
PERIODS = {"hour": HOUR, "minutes": 5 * MINUTE}
TIMES = st.one_of(
    st.integers(0, 10 * SECOND),
    st.sampled_from([0, 30 * SECOND - 1, 30 * SECOND, MINUTE, 5 * MINUTE, 5 * MINUTE + 5 * SECOND, 10 * MINUTE, HOUR]),
)
LINES = st.sampled_from([*[Line.GOOD] * 6, Line.DONE, Line.CUT])


class Histories(StoreHistory):
    """Workers that reserve, dispatch, commit, give back, hear nothing, forget what they did, or die."""

    channel: ClassVar[Channel] = CHANNEL
    destinations: ClassVar[tuple[str | None, ...]] = (None, "ann")
    countries: ClassVar[dict[str, Limit]] = {}

    def __init__(self) -> None:
        super().__init__()
        self._reference = Reference()
        self._steps_back = 0
        self._open: list[tuple[Reservation, Use]] = []
        self._spent: dict[Reservation, Spent] = {}
        self._reserved: dict[Reservation, int] = {}
        self._last_reserve = 0

    @initialize()
    def start(self) -> None:
        super().start()
        self._store = Unheard(self._tested.store)
        self._desk = Desk(replace(self._tested, store=self._store), {"api": self.channel})

    @rule(
        data=st.data(),
        key=st.sampled_from(["k1", "k1", "k2", None]),
        known=st.booleans(),
        cost=st.sampled_from([1, 1, 1, 2, 10]),
        line=LINES,
    )
    def reserve(self, data: st.DataObject, key: str | None, known: bool, cost: int, line: Line) -> None:
        to = data.draw(st.sampled_from(self.destinations))
        self._store.line, self._last_reserve = line, self._now
        with suppress(SpendDenied, StoreTimeout):
            reservation = self._desk.ledger.reserve("api", to, key, known, cost)
            self._reserved[reservation] = self._now
            self._open.append((reservation, (to, reservation.key)))
        self._store.line = Line.GOOD

    @precondition(lambda self: self._open)
    @rule(data=st.data(), line=LINES)
    def dispatch(self, data: st.DataObject, line: Line) -> None:
        reservation, use = data.draw(st.sampled_from(self._open))
        self._store.line, self._store.settled, out = line, False, False
        with suppress(SpendDenied, StoreTimeout):
            out = reservation.dispatch()
        self._store.line = Line.GOOD
        assert self._store.settled or not out
        if self._store.settled:
            assert self._steps_back or self._now < self._reserved[reservation] + self.channel.hold
            self._spent[reservation] = Spent(self._now, use, reservation.cost, out)
            self._reference.uses.append(self._spent[reservation])

    @precondition(lambda self: self._open)
    @rule(data=st.data(), how=st.sampled_from(["commit", "release", "exit", "die"]), line=LINES)
    def end(self, data: st.DataObject, how: str, line: Line) -> None:
        reservation, use = data.draw(st.sampled_from(self._open))
        self._store.line, self._store.settled = line, False
        if how == "release":
            reservation.release()
            if self._store.settled and reservation in self._spent:
                self._spent[reservation].returned = True
        elif how == "commit":
            reservation.commit()
        elif how == "exit":
            reservation.__exit__(None, None, None)
        else:
            self._open.remove((reservation, use))
        self._store.line = Line.GOOD

    @rule(data=st.data(), key=st.sampled_from(["k1", "k2"]))
    def verify(self, data: st.DataObject, key: str) -> None:
        self._desk.ledger.verified("api", data.draw(st.sampled_from(self.destinations[1:])) or "", key)

    @rule(step=TIMES)
    def advance(self, step: int) -> None:
        self._tested.advance(step)

    @invariant()
    def books_add_up(self) -> None:
        for each in self._desk.ledger.balances() if hasattr(self, "_desk") else ():
            assert min(each.spent, each.reserved, each.left) >= 0
            assert each.spent + each.reserved + each.left == each.limit.amount

    @invariant()
    def what_nobody_dispatches_comes_back(self) -> None:
        if hasattr(self, "_desk") and not self._steps_back and self._now >= self._last_reserve + self.channel.hold:
            assert all(each.reserved == 0 for each in self._desk.ledger.balances())

    @invariant()
    def no_cap_is_exceeded(self) -> None:
        for name, period in PERIODS.items():
            assert self._reference.most(period) <= self.channel.caps[name].amount * (1 + self._steps_back)
        for country, limit in self.countries.items():
            assert self._reference.most(limit.period, country) <= limit.amount * (1 + self._steps_back)

    @invariant()
    def nothing_that_was_spent_is_forgotten(self) -> None:
        for each in self._desk.ledger.balances() if hasattr(self, "_desk") and not self._steps_back else ():
            if each.cap in PERIODS:
                assert each.spent >= self._reference.spent(self._now, PERIODS[each.cap])
                longest = PERIODS[each.cap] + -(-PERIODS[each.cap] // 60)
                assert each.spent <= self._reference.spent(self._now, longest)

    @invariant()
    def nothing_goes_out_twice(self) -> None:
        if not self._steps_back:
            assert self._reference.doubled(self.channel.keep) == []

    @property
    def _now(self) -> int:
        return self._tested.store.now()


class Phones(Histories):
    """The same to numbers, with caps of countries and ranges and a breaker that trips at the second."""

    channel = PHONES
    destinations = (mobile(0), mobile(1), mobile(2000), mobile(1, "DE"))
    countries: ClassVar[dict[str, Limit]] = {"+44": budget("2/1h"), "+49": budget("3/1h")}


class SteppingBack(Histories):
    """The same under a clock that jumps ahead and comes back, which costs one budget at most each time."""

    @rule(step=TIMES)
    def step_back(self, step: int) -> None:
        if step:
            self._steps_back += 1
            self._tested.advance(-step)


class PhonesSteppingBack(Phones, SteppingBack):
    """Both."""


TestMemoryHistories = histories(harnesses.memory, 60, Histories)
TestMemoryPhones = histories(harnesses.memory, 60, Phones)
TestMemorySteppingBack = histories(harnesses.memory, 30, SteppingBack)
TestMemoryPhonesSteppingBack = histories(harnesses.memory, 30, PhonesSteppingBack)
TestSQLiteHistories = histories(harnesses.sqlite, 12, Histories)
TestSQLitePhones = histories(harnesses.sqlite, 12, Phones)
TestSQLiteSteppingBack = histories(harnesses.sqlite, 12, SteppingBack)
TestRedisHistories = histories(open_tested, 12, Histories)
TestRedisPhones = histories(open_tested, 12, Phones)
TestRedisSteppingBack = histories(open_tested, 12, SteppingBack)
