"""Plans of many counters: all or none, and a retry_after that is exact for the whole plan."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from authguard.limits import Algorithm, Counter, Counts, Limit, Mode, Outcome, Plan, Verdict
from authguard.limits.counting import NOT_CHARGED
from tests.limits.histories import STEPS, limits
from tests.limits.ledger import Ledger, attempts, distinct, failures, plan, tag
from tests.limits.naive import LEFT
from tests.limits.tally import SECOND, START

ANY = Limit(1000, 60)


@st.composite
def counters(draw: st.DrawFn) -> tuple[Counter, ...]:
    """Draw counters of any kind and mode, numbered."""
    kinds = draw(st.lists(st.sampled_from(["attempts", "failures", "distinct"]), min_size=1, max_size=4))
    drawn = []
    for number, kind in enumerate(kinds):
        period = draw(st.sampled_from([10, 20, 60]))
        cost = draw(st.sampled_from([1, 1, 2]))
        log = Limit(draw(st.integers(1, 4)), period)
        counter = {
            "attempts": attempts(number, draw(limits()), cost),
            "failures": failures(number, log, joins=draw(st.booleans()), clears=draw(st.booleans()), cost=cost),
            "distinct": distinct(number, log.amount, period, tag(9)),
        }[kind]
        drawn.append(replace(counter, mode=draw(st.sampled_from([Mode.ENFORCE, Mode.ENFORCE, *Mode]))))
    return tuple(drawn)


def asked(counters: tuple[Counter, ...], who: int, guess: int) -> Plan:
    """Return the plan of client ``who``, who is the distinct member as well."""
    own = [replace(c, member=tag(who)) if c.limit.algorithm is Algorithm.DISTINCT else c for c in counters]
    return plan(*own, client=tag(who), guess=bytes([0, guess]), hold=15)


CALLS = st.lists(
    st.tuples(STEPS, st.integers(1, 3), st.integers(0, 2), st.sampled_from([None, *Outcome])), min_size=1, max_size=25
)


@given(counters=counters(), calls=CALLS)
def test_all_or_none_and_exact(
    counters: tuple[Counter, ...], calls: list[tuple[int, int, int, Outcome | None]]
) -> None:
    ledger, now = Ledger(), START
    for step, who, guess, outcome in calls:
        now += step
        before = dict(ledger.states)
        decision = ledger.decide(asked(counters, who, guess), now)
        if decision.allowed:
            assert_charged(decision.plan, decision.reply.waits, decision.reply.stamps, decision.reply.joined)
            if outcome:
                ledger.settle(decision.receipt, outcome, now)
            continue
        assert ledger.states == before
        assert set(decision.reply.stamps) == {NOT_CHARGED}
        if decision.retry_after is not None:
            assert ledger.peek(decision.plan, now + decision.retry_after).allowed
            assert not ledger.peek(decision.plan, now + decision.retry_after - 1).allowed


def assert_charged(plan: Plan, waits: tuple[int, ...], stamps: tuple[int, ...], joined: bool) -> None:
    """Every counter is charged, but for full shadows and for failures that a joined guess excuses."""
    for counter, wait, stamp in zip(plan.counters, waits, stamps, strict=True):
        excused = joined and counter.counts is Counts.FAILURES
        assert (stamp == NOT_CHARGED) == (excused or wait != 0)
        assert wait == 0 or counter.mode is Mode.SHADOW


def test_a_plan_waits_for_its_slowest_counter() -> None:
    ledger = Ledger()
    both = plan(attempts(1, Limit(1, 5 * SECOND)), attempts(2, Limit(1, 9 * SECOND, Algorithm.GCRA)))
    assert ledger.decide(both, START).retry_after == 0
    denied = ledger.decide(both, START + SECOND)
    assert (denied.retry_after, denied.reply.waits) == (8 * SECOND, (4 * SECOND, 8 * SECOND))
    assert not ledger.decide(both, START + 9 * SECOND - 1).allowed
    assert ledger.decide(both, START + 9 * SECOND).allowed


@pytest.mark.parametrize("algorithm", [algorithm for algorithm in LEFT if algorithm is not Algorithm.BACKOFF])
def test_a_cost_above_the_capacity_is_never_admitted(algorithm: Algorithm) -> None:
    ledger, limit = Ledger(), Limit(3, 60 * SECOND, algorithm)
    assert ledger.peek(plan(attempts(1, limit, cost=3)), START).allowed
    decision = ledger.decide(plan(attempts(1, limit, cost=4), attempts(2, ANY)), START)
    assert (decision.verdict, decision.retry_after, decision.remaining) == (
        Verdict.DENY,
        None,
        {"layer1": 3, "layer2": 1000},
    )
    assert ledger.states == {}


def test_a_shadow_is_charged_while_it_has_room_and_never_denies() -> None:
    ledger = Ledger()
    shadow = replace(attempts(1, Limit(1, 60 * SECOND)), mode=Mode.SHADOW)
    request = plan(shadow, attempts(2, Limit(2, 60 * SECOND)))
    assert ledger.decide(request, START).shadow_denied == ()
    second = ledger.decide(request, START + 1)
    assert (second.allowed, second.shadow_denied, second.reply.stamps) == (True, ("layer1",), (NOT_CHARGED, START + 1))
    assert ledger.decide(request, START + 2).denied == ("layer2",)


def test_a_step_up_challenges_unless_another_layer_denies() -> None:
    ledger = Ledger()
    soft = replace(attempts(1, Limit(1, 60 * SECOND)), mode=Mode.STEP_UP)
    request = plan(soft, attempts(2, Limit(1, 60 * SECOND)))
    assert ledger.decide(request, START).verdict is Verdict.ALLOW
    assert ledger.decide(plan(soft), START).verdict is Verdict.CHALLENGE
    assert ledger.decide(request, START).verdict is Verdict.DENY


def test_a_plan_without_counters_is_admitted() -> None:
    decision = Ledger().decide(plan(), START)
    assert (decision.allowed, decision.retry_after, decision.remaining) == (True, 0, {})
