"""Failures: charged first, settled once; joined, refunded and cleared by their own attempt and client alone."""

from __future__ import annotations

from authguard.limits import Limit, Outcome
from tests.limits.ledger import Ledger, attempts, failures, key, plan, tag
from tests.limits.tally import SECOND, START

ME, STRANGER = tag(1), tag(2)
MINUTE = 60 * SECOND


def test_an_attempt_under_way_stands_as_a_failure() -> None:
    ledger, full, roomy = Ledger(), failures(1, Limit(1, MINUTE)), failures(2, Limit(9, MINUTE))
    assert ledger.decide(plan(full, roomy, client=ME), START).allowed
    denied = ledger.decide(plan(full, roomy, client=STRANGER), START + 1)
    assert (denied.retry_after, denied.reply.pending, denied.waitable) == (MINUTE - 1, (1, 0), True)


def test_an_attempt_is_under_way_no_longer_than_it_may_be_held() -> None:
    ledger, layer = Ledger(), failures(1, Limit(1, MINUTE))
    ledger.decide(plan(layer, client=ME), START)
    assert ledger.peek(plan(layer, client=ME), START + 30 * SECOND - 1).reply.pending == (1,)
    assert ledger.peek(plan(layer, client=ME), START + 30 * SECOND).reply.pending == (0,)


def test_a_failure_stays_and_is_not_waited_for() -> None:
    ledger, layer = Ledger(), failures(1, Limit(1, MINUTE))
    ledger.settle(ledger.decide(plan(layer, client=ME), START).receipt, Outcome.FAILURE, START)
    denied = ledger.peek(plan(layer, client=ME), START + 1)
    assert (denied.retry_after, denied.waitable) == (MINUTE - 1, False)


def test_a_success_gives_back_its_own_charge_and_clears_its_own_failures() -> None:
    ledger, account, address = Ledger(), failures(1, Limit(9, MINUTE), clears=True), failures(2, Limit(9, MINUTE))
    for who in (ME, ME, STRANGER):
        ledger.settle(ledger.decide(plan(account, address, client=who), START).receipt, Outcome.FAILURE, START)
    receipt = ledger.decide(plan(account, address, client=ME), START + 1).receipt
    ledger.settle(receipt, Outcome.SUCCESS, START + 1)
    assert ledger.left(START + 1, account, address) == (8, 6)


def test_a_partial_gives_back_its_own_charge_and_clears_nothing() -> None:
    ledger, account = Ledger(), failures(1, Limit(9, MINUTE), clears=True)
    ledger.settle(ledger.decide(plan(account, client=ME), START).receipt, Outcome.FAILURE, START)
    ledger.settle(ledger.decide(plan(account, client=ME), START + 1).receipt, Outcome.PARTIAL, START + 1)
    assert ledger.left(START + 1, account) == (8,)


def test_a_refund_takes_one_attempt_s_cost_and_leaves_its_twin() -> None:
    ledger, layer = Ledger(), failures(1, Limit(9, MINUTE), cost=2)
    receipts = [ledger.decide(plan(layer, client=ME), START).receipt for _ in range(2)]
    ledger.settle(receipts[0], Outcome.SUCCESS, START)
    assert ledger.left(START, layer) == (7,)
    ledger.settle(receipts[1], Outcome.SUCCESS, START)
    assert ledger.states == {}


def test_the_same_guess_joins_the_charge_that_stands() -> None:
    ledger, account, address = Ledger(), failures(1, Limit(1, MINUTE), joins=True), failures(2, Limit(1, MINUTE))
    tries = attempts(3, Limit(3, MINUTE))
    first = plan(account, address, tries, client=ME, guess=b"g1")
    assert not ledger.decide(first, START).reply.joined
    again = ledger.decide(plan(account, address, tries, client=ME, guess=b"g1"), START + 1)
    assert (again.allowed, again.reply.joined, again.remaining["layer3"]) == (True, True, 1)
    for who, guess in ((ME, b"g2"), (STRANGER, b"g1"), (ME, b"\0\0")):
        assert not ledger.peek(plan(account, address, tries, client=who, guess=guess), START + 2).allowed
    assert not ledger.peek(first, START + MINUTE).reply.joined


def test_a_guess_is_found_by_entry_and_not_across_two() -> None:
    ledger, account = Ledger(), failures(1, Limit(9, MINUTE), joins=True)
    for guess in (b"\0\1", b"\0\2"):
        ledger.decide(plan(account, client=tag(0), guess=guess), START)
    state = ledger.states[key(1)][0]
    across = state[10:19]
    assert not ledger.peek(plan(account, client=across[:7], guess=across[7:]), START).reply.joined
    receipt = ledger.decide(plan(account, client=tag(5), guess=b"g1"), START).receipt
    ledger.settle(receipt, Outcome.SUCCESS, START)
    assert ledger.states[key(1)][0] == state


def test_a_joined_guess_waits_for_the_failures_when_its_charge_will_be_gone() -> None:
    ledger = Ledger()
    account, address = failures(1, Limit(5, 10 * SECOND), joins=True), failures(2, Limit(1, 40 * SECOND))
    tries = attempts(3, Limit(1, 30 * SECOND))
    mine = plan(account, address, tries, client=ME, guess=b"g1")
    ledger.decide(mine, START)
    denied = ledger.decide(mine, START + SECOND)
    assert (denied.reply.joined, denied.retry_after) == (False, 39 * SECOND)
    assert not ledger.peek(mine, START + 30 * SECOND).allowed
    assert ledger.peek(mine, START + 40 * SECOND).allowed
