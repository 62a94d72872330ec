"""Random histories of layers apart: the answers of one store, and after faults never more than the limit."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from authguard.clock import SECOND
from authguard.errors import StoreError, StoreFull, StoreTimeout, StoreUnavailable
from authguard.limits import Algorithm, Decision, Mode, Outcome, Receipt
from authguard.limits.plan import NO_GUESS
from authguard.stores.memory import MemoryStore
from authguard.testing.plans import ANN, BOB, OTHER_SECRET, SECRET, account, attempts, distinct, new_key, plan
from tests.stores.histories import case_of
from tests.stores.shard_pair import Pair, overall

OUTCOMES = (Outcome.SUCCESS, Outcome.PARTIAL, Outcome.FAILURE)
STEPS = st.sampled_from([0, 1, 4, 5, 20, 30, 59, 60])


def compare(sharded: Decision, whole: Decision) -> None:
    """Check that both say the same, but for what one place can't know of a plan that the other denies.

    Of a distinct member it may say one less than is left; and a guess that stands now joins, though it may not stand
    any more when the layer apart admits.
    """
    if not whole.allowed:
        if sharded.reply.joined and not whole.reply.joined:
            assert not sharded.allowed
            return
        remaining = zip(whole.plan.counters, sharded.reply.remaining, whole.reply.remaining, strict=True)
        left = [
            other if counter.limit.algorithm is Algorithm.DISTINCT and told == other - 1 else told
            for counter, told, other in remaining
        ]
        sharded = Decision(whole.plan, sharded.reply._replace(remaining=tuple(left)))
    assert sharded.reply == whole.reply


class SameHistory(RuleBasedStateMachine):
    """Every answer is that of one store that keeps all layers, and what is settled is settled alike."""

    @initialize()
    def begin(self) -> None:
        self.pair = Pair()
        self.whole = MemoryStore(self.pair.clock)
        self.receipts: list[tuple[Receipt, Receipt]] = []
        self.everybody, self.everyone_else = overall("5/1m"), overall("3/30s", layer="others")
        self.people = [(attempts("4/30s"), account("2/1m"), distinct("2/1m", ANN)) for _ in range(2)]
        self.shadow = attempts("2/30s", layer="shadow", mode=Mode.SHADOW)

    @rule(
        who=st.integers(0, 1),
        cost=st.integers(1, 6),
        mode=st.sampled_from([Mode.ENFORCE, Mode.ENFORCE, Mode.STEP_UP, Mode.SHADOW]),
        both=st.booleans(),
        client=st.sampled_from([ANN, BOB]),
        guess=st.sampled_from([NO_GUESS, SECRET, OTHER_SECRET]),
        hold=st.sampled_from([0, 20 * SECOND]),
        amount=st.sampled_from([3, 5, 8]),
    )
    def decide(
        self, who: int, cost: int, mode: Mode, both: bool, client: bytes, guess: bytes, hold: int, amount: int
    ) -> None:
        tried, failed, seen = self.people[who]
        limit = replace(self.everybody.limit, amount=amount)
        apart = replace(self.everybody, cost=cost, mode=mode, limit=limit)
        others = (self.everyone_else,) if both else ()
        asked = plan(
            tried, apart, failed, *others, replace(seen, member=client), self.shadow,
            client=client, guess=guess, hold=hold,
        )  # fmt: skip
        compare(self.pair.store.peek(asked), self.whole.peek(asked))
        sharded, whole = self.pair.store.decide(asked), self.whole.decide(asked)
        compare(sharded, whole)
        if sharded.receipt is not None and whole.receipt is not None:
            self.receipts.append((sharded.receipt, whole.receipt))

    @precondition(lambda self: self.receipts)
    @rule(data=st.data(), outcome=st.sampled_from(OUTCOMES))
    def settle(self, data: st.DataObject, outcome: Outcome) -> None:
        sharded, whole = data.draw(st.sampled_from(self.receipts))
        assert self.pair.store.settle(sharded, outcome) is self.whole.settle(whole, outcome)

    @rule(seconds=st.one_of(STEPS, st.sampled_from([-1, -40])))
    def advance(self, seconds: int) -> None:
        self.pair.clock.advance(seconds * SECOND)


class FaultyHistory(RuleBasedStateMachine):
    """Either place fails at any call, before it or after.

    What may stand apart without an admission is ``lost``. The layer denies whatever would be more than its limit, and
    admits what fits in beside all that was lost.
    """

    @initialize()
    def begin(self) -> None:
        self.pair, self.everybody = Pair(), overall("6/1m")
        self.people = [new_key() for _ in range(2)]
        self.admitted: list[tuple[int, int]] = []
        self.lost: list[tuple[int, int]] = []

    @rule(
        who=st.integers(0, 1),
        cost=st.integers(1, 3),
        place=st.sampled_from(["rest", "apart"]),
        call=st.sampled_from(["", "", "decide", "settle"]),
        error=st.sampled_from([StoreUnavailable, StoreTimeout, StoreFull]),
    )
    def ask(self, who: int, cost: int, place: str, call: str, error: type[StoreError]) -> None:
        broken = getattr(self.pair, place)
        broken.fault, broken.late, broken.error = call, error is StoreTimeout, error
        now, standing, idle = self.pair.clock.now(), self._standing(self.admitted), self._standing(self.lost)
        allowed, failed = False, True
        denied: tuple[str, ...] = ()
        with suppress(StoreError):
            decision = self.pair.store.decide(
                plan(attempts("3/10s", self.people[who]), replace(self.everybody, cost=cost))
            )
            allowed, denied, failed = decision.allowed, decision.denied, False
        broken.fault = ""
        if allowed:
            self.admitted.append((now, cost))
        elif (failed and error is not StoreFull) or (call == "settle" and place == "apart"):
            self.lost.append((now, cost))
        if standing + cost > 6:
            assert not allowed
        elif standing + idle + cost <= 6:
            assert "overall" not in denied

    @rule(seconds=STEPS)
    def advance(self, seconds: int) -> None:
        self.pair.clock.advance(seconds * SECOND)

    def _standing(self, charges: list[tuple[int, int]]) -> int:
        return sum(cost for at, cost in charges if self.pair.clock.now() < at + 60 * SECOND)


TestSame, TestFaulty = case_of(SameHistory, examples=60), case_of(FaultyHistory, examples=60)
