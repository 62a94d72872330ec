"""All or none: a plan charges every enforcing counter or nothing, and what is denied leaves no trace (law 1)."""
# ruff: noqa: S101 - these are tests

from __future__ import annotations

from authguard.limits import Counts, Mode, Verdict
from authguard.testing.harness import StoreUnderTest
from authguard.testing.plans import ANN, SECRET, account, attempts, distinct, failures, left, new_key, plan, spend


class AllOrNone:
    """Tests of what a decision charges."""

    def test_every_counter_is_charged_once(self, tested: StoreUnderTest) -> None:
        counters = attempts("5/1m"), failures("4/1m"), account("3/1m"), distinct("2/1m", ANN)
        decision = tested.store.decide(plan(*counters))
        assert decision.allowed
        assert decision.verdict is Verdict.ALLOW
        assert decision.retry_after == 0
        assert decision.reply.remaining == (4, 3, 2, 1)
        assert [left(tested.store, counter) for counter in counters] == [4, 3, 2, 1]

    def test_a_full_counter_keeps_the_others_uncharged(self, tested: StoreUnderTest) -> None:
        full, before, after = attempts("1/1m"), attempts("5/1m", layer="before"), failures("5/1m", layer="after")
        spend(tested.store, full, 1)
        decision = tested.store.decide(plan(before, full, after))
        assert decision.verdict is Verdict.DENY
        assert decision.denied == ("attempts",)
        assert decision.receipt is None
        assert [left(tested.store, counter) for counter in (before, full, after)] == [5, 0, 5]

    def test_a_denied_flood_leaves_no_trace(self, tested: StoreUnderTest) -> None:
        full = attempts("3/1m")
        spend(tested.store, full, 3)
        before = tested.dump()
        for i in range(1, 51):
            flood = plan(full, failures(), account(), distinct("9/1m", i.to_bytes(7, "big")), client=ANN, guess=SECRET)
            assert not tested.store.decide(flood).allowed
            tested.advance(1000)
        assert tested.dump() == before

    def test_denied_tries_do_not_extend_the_wait(self, tested: StoreUnderTest) -> None:
        full = attempts("1/1m")
        spend(tested.store, full, 1)
        for _ in range(59):
            tested.advance(1_000_000)
            assert not tested.store.decide(plan(full)).allowed
        tested.advance(1_000_000)
        assert tested.store.decide(plan(full)).allowed

    def test_a_look_writes_nothing_and_tells_what_a_decision_would(self, tested: StoreUnderTest) -> None:
        counters = attempts("2/1m"), failures("1/1m")
        asked = plan(*counters)
        before = tested.dump()
        looked = tested.store.peek(asked)
        assert tested.dump() == before
        decided = tested.store.decide(asked)
        assert (looked.allowed, looked.reply.remaining) == (decided.allowed, decided.reply.remaining) == (True, (1, 0))
        assert tested.store.peek(plan(*counters)).denied == ("failures",)

    def test_a_cost_takes_as_much(self, tested: StoreUnderTest) -> None:
        key = new_key()
        assert tested.store.decide(plan(attempts("5/1m", key, cost=3))).reply.remaining == (2,)
        assert not tested.store.decide(plan(attempts("5/1m", key, cost=3))).allowed
        assert tested.store.decide(plan(attempts("5/1m", key, cost=2))).reply.remaining == (0,)

    def test_a_cost_above_the_capacity_is_never_admitted(self, tested: StoreUnderTest) -> None:
        decision = tested.store.decide(plan(attempts("5/1m", cost=6)))
        assert not decision.allowed
        assert decision.retry_after is None

    def test_a_shadow_counter_never_denies(self, tested: StoreUnderTest) -> None:
        shadow = attempts("1/1m", layer="shadow", mode=Mode.SHADOW)
        assert tested.store.decide(plan(shadow, attempts())).shadow_denied == ()
        second = tested.store.decide(plan(shadow, attempts()))
        assert second.allowed
        assert second.denied == ()
        assert second.shadow_denied == ("shadow",)

    def test_a_shadow_counter_is_charged_with_the_plan_or_not_at_all(self, tested: StoreUnderTest) -> None:
        shadow, full = attempts("5/1m", layer="shadow", mode=Mode.SHADOW), attempts("1/1m")
        tested.store.decide(plan(shadow, full))
        tested.store.decide(plan(shadow, full))
        assert left(tested.store, shadow) == 4

    def test_a_full_step_up_counter_asks_for_a_challenge(self, tested: StoreUnderTest) -> None:
        soft, hard = attempts("1/1m", layer="soft", mode=Mode.STEP_UP), attempts("2/1m", layer="hard")
        assert tested.store.decide(plan(soft, hard)).allowed
        assert tested.store.decide(plan(soft, hard)).verdict is Verdict.CHALLENGE
        assert left(tested.store, hard) == 1
        spend(tested.store, hard, 1)
        both = tested.store.decide(plan(soft, hard))
        assert both.verdict is Verdict.DENY
        assert both.denied == ("soft", "hard")

    def test_a_member_already_counted_passes(self, tested: StoreUnderTest) -> None:
        key = new_key()
        for counts in (Counts.FAILURES, Counts.ATTEMPTS):
            key = new_key()
            for member in (b"member1", b"member2", b"member1"):
                assert tested.store.decide(plan(distinct("2/1m", member, key, counts))).allowed
            assert not tested.store.decide(plan(distinct("2/1m", b"member3", key, counts))).allowed
            assert tested.store.decide(plan(distinct("2/1m", b"member2", key, counts))).allowed

    def test_forgotten_counters_are_empty(self, tested: StoreUnderTest) -> None:
        one, other, third = attempts("5/1m"), failures("5/1m"), attempts("5/1m")
        tested.store.decide(plan(one, other, third))
        assert tested.store.forget([one.key, other.key, new_key()]) == 2
        assert tested.store.forget([one.key]) == 0
        assert [left(tested.store, counter) for counter in (one, other, third)] == [5, 5, 4]

    def test_numbers_changed_under_a_counter_hold_at_once(self, tested: StoreUnderTest) -> None:
        key = new_key()
        spend(tested.store, attempts("5/1m", key), 4)
        assert left(tested.store, attempts("10/1m", key)) == 6
        assert left(tested.store, attempts("4/1m", key)) == 0
        assert left(tested.store, attempts("2/1m", key)) == 0
        tested.advance(30_000_000)
        assert left(tested.store, attempts("5/10s", key)) == 5
