"""Distinct members: a member already counted passes, and a refund leaves the member as it stood before."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given
from hypothesis import strategies as st

from authguard.limits import Algorithm, Counts, Limit, Outcome
from authguard.limits.distinct import count, prune
from authguard.limits.failure_log import FAILED, UNDER_WAY
from tests.limits.histories import STEPS
from tests.limits.ledger import Ledger, distinct, key, plan, tag
from tests.limits.tally import SECOND, START

HOUR = 3600 * SECOND
WHO = st.integers(1, 5)


def three_an_hour(who: int) -> tuple[int, int, int, bytes]:
    return 1, 3, HOUR, tag(who)


def test_a_fourth_member_is_denied_and_the_first_three_pass() -> None:
    ledger = Ledger()
    for second, who in enumerate((1, 2, 3)):
        assert ledger.decide(plan(distinct(*three_an_hour(who))), START + second * SECOND).allowed
    assert ledger.decide(plan(distinct(*three_an_hour(4))), START + 4 * SECOND).retry_after == HOUR - 4 * SECOND
    assert ledger.decide(plan(distinct(*three_an_hour(1))), START + 5 * SECOND).allowed
    # Member 1 has come again, so the next to go is member 2.
    assert ledger.decide(plan(distinct(*three_an_hour(4))), START + 5 * SECOND).retry_after == HOUR - 4 * SECOND
    assert ledger.decide(plan(distinct(*three_an_hour(4))), START + SECOND + HOUR).allowed


def test_what_is_left_counts_members_not_tries() -> None:
    ledger = Ledger()
    lefts = [ledger.decide(plan(distinct(*three_an_hour(who))), START).reply.remaining for who in (1, 1, 2, 1, 2)]
    assert lefts == [(2,), (2,), (1,), (1,), (1,)]


def test_members_of_attempts_are_never_given_back() -> None:
    ledger, layer = Ledger(), distinct(1, 1, HOUR, tag(1), Counts.ATTEMPTS)
    ledger.settle(ledger.decide(plan(layer), START).receipt, Outcome.SUCCESS, START)
    denied = ledger.decide(plan(replace(layer, member=tag(2))), START)
    assert (denied.retry_after, denied.waitable) == (HOUR, False)


@given(
    told=st.lists(st.tuples(st.integers(0, 30), WHO, st.sampled_from([Outcome.FAILURE, None])), max_size=12),
    step=st.integers(0, 30),
    who=WHO,
    outcome=st.sampled_from([Outcome.SUCCESS, Outcome.PARTIAL]),
)
def test_a_refund_restores_what_stood(
    told: list[tuple[int, int, Outcome | None]], step: int, who: int, outcome: Outcome
) -> None:
    ledger, now = Ledger(), START
    for gap, member, ended in told:
        now += gap
        decision = ledger.decide(plan(distinct(1, 3, 40, tag(member))), now)
        if decision.allowed and ended:
            ledger.settle(decision.receipt, ended, now)
    now += step
    before = observed(ledger, now)
    decision = ledger.decide(plan(distinct(1, 3, 40, tag(who))), now)
    if decision.allowed:
        ledger.settle(decision.receipt, outcome, now)
    assert observed(ledger, now) == before


def observed(ledger: Ledger, now: int) -> list[tuple[bool, int | None, tuple[int, ...]]]:
    """Return all that any member could be told from now on."""
    decisions = [
        ledger.peek(plan(distinct(1, 3, 40, tag(who))), now + later) for later in range(0, 42, 5) for who in range(1, 7)
    ]
    return [(decision.allowed, decision.retry_after, decision.reply.remaining) for decision in decisions]


@given(
    entries=st.lists(st.tuples(st.integers(0, 9), WHO, st.sampled_from([FAILED, UNDER_WAY])), max_size=12),
    later=st.integers(0, 60),
    who=st.integers(1, 6),
    amount=st.integers(1, 4),
)
def test_pruning_changes_nothing_that_is_told(
    entries: list[tuple[int, int, bytes]], later: int, who: int, amount: int
) -> None:
    now, state = START, b""
    for step, member, flag in entries:
        now += step
        state += (now % 2**48).to_bytes(6, "big") + flag + tag(member) + bytes(2)
    limit = Limit(amount, 40, Algorithm.DISTINCT)
    whole, pruned = (count(log, limit, now + later, tag(who)) for log in (state, prune(state)))
    assert (whole[:2], whole[3:]) == (pruned[:2], pruned[3:])
    assert prune(prune(state)) == prune(state)


@given(calls=st.lists(st.tuples(STEPS, WHO), max_size=25), amount=st.integers(1, 3))
def test_same_as_a_dictionary_of_members(calls: list[tuple[int, int]], amount: int) -> None:
    ledger, now, latest = Ledger(), START, dict[int, int]()
    for step, who in calls:
        now += step
        at = max([now, *latest.values()])
        standing = {member for member, time in latest.items() if at < time + 40}
        decision = ledger.decide(plan(distinct(1, amount, 40, tag(who))), now)
        assert decision.allowed == (who in standing or len(standing) < amount)
        if decision.allowed:
            latest[who] = at
            continue
        assert decision.retry_after is not None
        opens = now + decision.retry_after
        assert [sum(at_ < time + 40 for time in latest.values()) < amount for at_ in (opens - 1, opens)] == [
            False,
            True,
        ]


def test_a_member_who_keeps_failing_takes_one_entry() -> None:
    ledger = Ledger()
    for second in range(20):
        now = START + second * SECOND
        ledger.settle(ledger.decide(plan(distinct(*three_an_hour(1))), now).receipt, Outcome.FAILURE, now)
    assert len(ledger.states[key(1)][0]) == 16


ENTRIES = st.lists(st.tuples(st.integers(0, 3), WHO, st.sampled_from([FAILED, UNDER_WAY])), max_size=10)


@example(entries=[(0, 1, FAILED), (1, 1, FAILED)], tidy=False, who=2, amount=4, flag=FAILED)
@given(
    entries=ENTRIES, tidy=st.booleans(), who=WHO, amount=st.integers(1, 4), flag=st.sampled_from([FAILED, UNDER_WAY])
)
def test_it_counts_what_the_definition_says(
    entries: list[tuple[int, int, bytes]], tidy: bool, who: int, amount: int, flag: bytes
) -> None:
    state, now, latest = b"", START, dict[bytes, int]()
    for gap, each, flagged in entries:
        if tidy and tag(each) in latest:
            continue
        now += gap
        latest[tag(each)] = now
        state += (now % 2**48).to_bytes(6) + flagged + tag(each) + bytes(2)
    limit, now = Limit(amount, HOUR, Algorithm.DISTINCT), now + 1
    known, left = tag(who) in latest, max(0, amount - len(latest))
    wait, told_left, charged, _, _, then_left = count(state, limit, now, tag(who), flag)
    assert told_left == left
    if known or left:
        added = state + (now % 2**48).to_bytes(6) + flag + tag(who) + bytes(2)
        assert (wait, then_left) == (0, left - (not known))
        assert charged == (prune(added) if flag == FAILED else added)
    else:
        # It is admitted once as many as are too many have gone, each by its latest entry.
        assert wait == sorted(latest.values())[len(latest) - amount] + HOUR - now
