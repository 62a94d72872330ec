"""A code's life on each store: sent, tried, won once, burned, replaced, expired; and bound to all that it is for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from authguard.clock import SECOND, ManualClock
from authguard.limits import Decision, Plan
from authguard.otp.counters import WON
from authguard.policy import PRESETS
from authguard.stores.memory import MemoryStore
from tests.otp.race import at_once
from tests.otp.rig import Person, Rig

OWNER = Person()
MINUTE = 60 * SECOND


def test_the_right_code_is_right_once(any_rig: Rig) -> None:
    sent = any_rig.ask(OWNER)
    assert any_rig.right(OWNER, sent.token, any_rig.code())
    assert not any_rig.right(OWNER, sent.token, any_rig.code())
    assert not any_rig.right(OWNER, sent.token, any_rig.wrong())
    assert any_rig.results() == ["right", "used", "used"]


def test_five_wrong_guesses_burn_the_challenge(any_rig: Rig) -> None:
    sent = any_rig.ask(OWNER)
    for number in range(5):
        assert not any_rig.right(OWNER, sent.token, any_rig.wrong(number))
    assert not any_rig.right(OWNER, sent.token, any_rig.code())
    assert any_rig.results() == ["wrong"] * 5 + ["burned"]


def test_the_fifth_try_may_be_right(any_rig: Rig) -> None:
    sent = any_rig.ask(OWNER)
    for number in range(4):
        assert not any_rig.right(OWNER, sent.token, any_rig.wrong(number))
    assert any_rig.right(OWNER, sent.token, any_rig.code())


def test_fifty_right_codes_at_once_have_one_winner(any_rig: Rig) -> None:
    sent, code = any_rig.ask(OWNER), any_rig.code()
    won = at_once(50, lambda: any_rig.check(OWNER, sent.token, code).right)
    assert sorted(won) == [False] * 49 + [True]


def test_fifty_requests_at_once_send_one_message(any_rig: Rig) -> None:
    allowed = at_once(50, lambda: any_rig.ask(OWNER).refused is None)
    assert any_rig.sender.drain(20)
    assert sorted(allowed) == [False] * 49 + [True]
    assert len(any_rig.inbox.messages) == 1


def test_clients_in_three_networks_cause_one_message_to_one_destination(any_rig: Rig) -> None:
    answers = [any_rig.ask(OWNER.but(ip=f"198.51.{number}.1")) for number in range(3)]
    assert [answer.refused for answer in answers] == [None] * 3
    assert len(any_rig.inbox.messages) == 1


@pytest.mark.parametrize(
    "other",
    [
        OWNER.but(purpose="reset"),
        OWNER.but(to="other@example.com"),
        OWNER.but(to="Owner@example.com"),
        OWNER.but(account="43"),
        OWNER.but(account=None),
        OWNER.but(deliver="other@example.com"),
        OWNER.but(deliver=None),
        OWNER.but(browser="c" * 32),
    ],
)
def test_another_purpose_identity_destination_or_browser_consumes_nothing(any_rig: Rig, other: Person) -> None:
    sent, code = any_rig.ask(OWNER), any_rig.code()
    for _ in range(10):
        assert not any_rig.right(other, sent.token, code)
    assert any_rig.results() == ["foreign"] * 10
    for number in range(4):
        assert not any_rig.right(OWNER, sent.token, any_rig.wrong(number))
    assert any_rig.right(OWNER, sent.token, code)


def test_one_code_is_not_another_challenges(rig: Rig) -> None:
    rig.ask(OWNER)
    rig.ask(OWNER.but(to="a@example.net", deliver="a@example.net", account="7", browser="a" * 32, ip="203.0.113.9"))
    mine = rig.ask(OWNER.but(purpose="reset", to="b@example.net", deliver="b@example.net"))
    assert not rig.right(
        OWNER.but(purpose="reset", to="b@example.net", deliver="b@example.net"), mine.token, rig.code(1)
    )


def test_a_code_lives_five_minutes_of_the_stores_time(rig: Rig) -> None:
    sent, code = rig.ask(OWNER), rig.code()
    rig.advance(5 * MINUTE - 1)
    assert not rig.right(OWNER, sent.token, rig.wrong())
    rig.advance(1)
    assert not rig.right(OWNER, sent.token, code)
    other = OWNER.but(to="x@example.net", deliver="x@example.net")
    sent = rig.ask(other)
    rig.advance(5 * MINUTE - 1)
    assert rig.right(other, sent.token, rig.code())


def test_the_stores_clock_decides_and_a_step_backwards_opens_no_burned_challenge(rig: Rig) -> None:
    sent = rig.ask(OWNER)
    rig.advance(-90 * SECOND)
    for number in range(5):
        assert not rig.right(OWNER, sent.token, rig.wrong(number))
    rig.advance(-90 * SECOND)
    assert not rig.right(OWNER, sent.token, rig.code())
    other = OWNER.but(to="x@example.net", deliver="x@example.net")
    sent = rig.ask(other)
    rig.advance(-90 * SECOND)
    assert rig.right(other, sent.token, rig.code())


@pytest.mark.parametrize(("guesses", "right"), [(3, [True, False]), (4, [False, False])])
def test_a_step_backwards_brings_an_old_code_back_and_neither_its_tries_nor_its_use(
    rig: Rig, guesses: int, right: list[bool]
) -> None:
    sent = rig.ask(OWNER)
    for number in range(guesses):
        assert not rig.right(OWNER, sent.token, rig.wrong(number))
    rig.advance(6 * MINUTE)
    assert not rig.right(OWNER, sent.token, rig.code())  # too old, and a try all the same
    rig.advance(-6 * MINUTE)
    assert [rig.right(OWNER, sent.token, rig.code()) for _ in right] == right


def test_a_new_message_stops_the_code_before_it_and_keeps_the_tries(rig: Rig) -> None:
    first = rig.ask(OWNER)
    old = rig.code()
    for number in range(3):
        assert not rig.right(OWNER, first.token, rig.wrong(number))
    rig.advance(MINUTE)
    second = rig.ask(OWNER, first.token)
    assert second.refused is None
    for token in (first.token, second.token):
        assert not rig.right(OWNER, token, old)
    assert not rig.right(OWNER, second.token, rig.code())
    assert rig.results()[-1] == "burned"


def test_the_new_code_works_in_the_new_form_alone(rig: Rig) -> None:
    first = rig.ask(OWNER)
    rig.advance(MINUTE)
    second = rig.ask(OWNER, first.token)
    assert not rig.right(OWNER, first.token, rig.code())
    assert rig.right(OWNER, second.token, rig.code())


def test_a_message_that_was_withheld_leaves_the_one_before_it_alone(rig: Rig) -> None:
    first, code = rig.ask(OWNER), rig.code()
    # A stranger takes the destination's next step, so that the owner's second request is answered and withheld.
    rig.advance(MINUTE)
    rig.ask(OWNER.but(ip="203.0.113.5", browser="e" * 32))
    second = rig.ask(OWNER, first.token)
    assert second.refused is None
    assert len(rig.inbox.messages) == 2
    assert rig.right(OWNER, second.token, code)


def test_an_expired_challenge_is_not_gone_on_with(rig: Rig) -> None:
    first = rig.ask(OWNER)
    for number in range(4):
        assert not rig.right(OWNER, first.token, rig.wrong(number))
    rig.advance(5 * MINUTE)
    second = rig.ask(OWNER, first.token)
    for number in range(4):
        assert not rig.right(OWNER, second.token, rig.wrong(number))
    assert rig.right(OWNER, second.token, rig.code())


def test_tries_are_kept_for_as_long_as_the_challenge_may_live(rig: Rig) -> None:
    first = rig.ask(OWNER)
    for number in range(3):
        assert not rig.right(OWNER, first.token, rig.wrong(number))
    rig.advance(5 * MINUTE - SECOND)
    second = rig.ask(OWNER, first.token)
    rig.advance(10 * SECOND)
    for number in range(2):
        assert not rig.right(OWNER, second.token, rig.wrong(number))
    assert not rig.right(OWNER, second.token, rig.code())
    assert rig.results()[-1] == "burned"


def test_nobody_goes_on_with_a_challenge_of_somebody_else(rig: Rig) -> None:
    mine, code = rig.ask(OWNER), rig.code()
    thief = OWNER.but(to="thief@example.net", deliver="thief@example.net", account="7", browser="e" * 32)
    theirs = rig.ask(thief, mine.token)
    assert rig.right(thief, theirs.token, rig.code())
    assert rig.right(OWNER, mine.token, code)


class Interrupted(MemoryStore):
    """A store in which something happens just before a code wins."""

    happens: Callable[[], object] | None = None

    def decide(self, plan: Plan) -> Decision:
        happens = self.happens
        if happens is not None and any(counter.layer == WON and counter.charges for counter in plan.counters):
            self.happens = None
            happens()
        return super().decide(plan)


def test_a_newer_message_that_goes_out_while_the_old_code_is_compared_stops_it() -> None:
    clock = ManualClock()
    store = Interrupted(clock)
    rig = Rig(store, clock.advance)
    first, code = rig.ask(OWNER), rig.code()
    rig.advance(MINUTE)
    store.happens = lambda: rig.ask(OWNER, first.token)
    assert not rig.right(OWNER, first.token, code)
    assert len(rig.inbox.messages) == 2
    rig.close()


def test_a_burned_or_won_challenge_is_not_gone_on_with(rig: Rig) -> None:
    first = rig.ask(OWNER)
    for number in range(5):
        assert not rig.right(OWNER, first.token, rig.wrong(number))
    rig.advance(MINUTE)
    second = rig.ask(OWNER, first.token)
    assert rig.right(OWNER, second.token, rig.code())
    third = rig.ask(OWNER, second.token)
    assert rig.right(OWNER, third.token, rig.code())


def test_eight_digits_by_policy() -> None:
    rig = Rig(policies={**PRESETS, "otp-verify": replace(PRESETS["otp-verify"], digits=8)})
    sent = rig.ask(OWNER)
    assert len(rig.code()) == 8
    assert not rig.right(OWNER, sent.token, rig.code()[:6])
    assert rig.right(OWNER, sent.token, rig.code())
    rig.close()
