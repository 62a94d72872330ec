"""Histories: whatever is called in whatever order, and whoever dies at it, the ledger never lies."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule

from authguard.clock import SECOND
from authguard.spend import Channel, Reservation, SpendDenied, budget
from authguard.testing.history import StoreHistory
from tests.spend.desk import HOUR, MINUTE, Desk
from tests.spend.reference import Reference, Sent
from tests.stores import harnesses
from tests.stores.histories import histories
from tests.stores.test_contract_redis import open_tested

CHANNEL = Channel(
    "api",
    caps={"hour": budget("9/1h"), "minutes": budget("5/5m")},
    known_share=30,
    stranger_share=30,
    destination=budget("4/1h"),
    hold=30 * SECOND,
    keep=10 * MINUTE,
)
PERIODS = {"hour": HOUR, "minutes": 5 * MINUTE}
TIMES = st.one_of(
    st.integers(0, 10 * SECOND),
    st.sampled_from([0, 30 * SECOND - 1, 30 * SECOND, MINUTE, 5 * MINUTE, 5 * MINUTE + 5 * SECOND, 10 * MINUTE, HOUR]),
)


class Histories(StoreHistory):
    """Workers that reserve, dispatch, commit, give back, forget what they did, or die, while time passes."""

    def __init__(self) -> None:
        super().__init__()
        self._reference = Reference()
        self._steps_back = 0
        self._open: list[tuple[Reservation, tuple[str | None, str]]] = []
        self._out: dict[Reservation, Sent] = {}

    @initialize()
    def start(self) -> None:
        super().start()
        self._desk = Desk(self._tested, {"api": CHANNEL})

    @rule(
        to=st.sampled_from([None, "ann", "bob"]),
        key=st.sampled_from(["k1", "k2", "k3", None]),
        known=st.booleans(),
        cost=st.sampled_from([1, 1, 1, 2, 10]),
    )
    def reserve(self, to: str | None, key: str | None, known: bool, cost: int) -> None:
        try:
            reservation = self._desk.ledger.reserve("api", to, key, known, cost)
        except SpendDenied:
            return
        self._open.append((reservation, (to, reservation.key)))

    @precondition(lambda self: self._open)
    @rule(data=st.data())
    def dispatch(self, data: st.DataObject) -> None:
        reservation, use = data.draw(st.sampled_from(self._open))
        try:
            reservation.dispatch()
        except SpendDenied:
            return
        self._out[reservation] = Sent(self._now, use, reservation.cost)
        self._reference.sent.append(self._out[reservation])

    @precondition(lambda self: self._open)
    @rule(data=st.data(), how=st.sampled_from(["commit", "release", "exit", "die"]))
    def end(self, data: st.DataObject, how: str) -> None:
        reservation, use = data.draw(st.sampled_from(self._open))
        if how == "release":
            if reservation.release() and reservation in self._out:
                self._out[reservation].returned = True
        elif how == "commit":
            reservation.commit()
        elif how == "exit":
            reservation.__exit__(None, None, None)
        else:
            self._open.remove((reservation, use))

    @rule(to=st.sampled_from(["ann", "bob"]), key=st.sampled_from(["k1", "k2"]))
    def verify(self, to: str, key: str) -> None:
        self._desk.ledger.verified("api", to, key)

    @rule(step=TIMES)
    def advance(self, step: int) -> None:
        self._desk.tested.advance(step)

    @invariant()
    def books_add_up(self) -> None:
        for each in self._desk.ledger.balances() if hasattr(self, "_desk") else ():
            assert min(each.spent, each.reserved, each.left) >= 0
            assert each.spent + each.reserved + each.left == each.limit.amount

    @invariant()
    def no_cap_is_exceeded(self) -> None:
        for name, period in PERIODS.items():
            assert self._reference.most(period) <= CHANNEL.caps[name].amount * (1 + self._steps_back)

    @invariant()
    def nothing_that_went_out_is_forgotten(self) -> None:
        for each in self._desk.ledger.balances() if hasattr(self, "_desk") and not self._steps_back else ():
            if each.cap in PERIODS:
                assert each.spent >= self._reference.spent(self._now, PERIODS[each.cap])
                longest = PERIODS[each.cap] + -(-PERIODS[each.cap] // 60)
                assert each.spent <= self._reference.spent(self._now, longest)

    @invariant()
    def nothing_goes_out_twice(self) -> None:
        if not self._steps_back:
            assert self._reference.doubled(CHANNEL.keep) == []

    @property
    def _now(self) -> int:
        return self._desk.tested.store.now()


class SteppingBack(Histories):
    """The same under a clock that jumps ahead and comes back, which costs one budget at most each time."""

    @rule(step=TIMES)
    def step_back(self, step: int) -> None:
        if step:
            self._steps_back += 1
            self._desk.tested.advance(-step)


TestMemoryHistories = histories(harnesses.memory, 80, Histories)
TestMemorySteppingBack = histories(harnesses.memory, 40, SteppingBack)
TestSQLiteHistories = histories(harnesses.sqlite, 15, Histories)
TestRedisHistories = histories(open_tested, 15, Histories)
