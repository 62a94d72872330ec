"""Challenges: one token, one try, here and now, for this."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from authguard.clock import SECOND
from authguard.errors import StoreUnavailable
from authguard.events import Decided
from authguard.guard.ruling import Refusal
from authguard.limits import Decision, Plan
from authguard.login.challenge import ACCEPTED_FOR, FIRST_WAIT, LONGEST_WAIT
from authguard.login.door import Visit
from authguard.policy import PRESETS
from authguard.policy.toml import read_policies
from tests.guard.rig import DeadStore, subject
from tests.login.door_rig import HERE, Browser, DoorRig, ask, offered


@pytest.fixture
def rig(rig: DoorRig) -> DoorRig:
    """A rig whose owner's account strangers have burnt."""
    rig.burn()
    return rig


def test_a_stranger_on_a_burnt_account_is_offered_a_delay(rig: DoorRig) -> None:
    offer = offered(rig.guess("wrong", **HERE))
    assert (offer.kind, offer.wait) == ("delay", FIRST_WAIT)


def test_an_answered_challenge_buys_one_try_that_may_be_right(rig: DoorRig) -> None:
    token = ask(rig)
    assert rig.log_in(answer=token, **HERE).allowed
    again = rig.guess("wrong", answer=token, **HERE)
    assert not again.allowed
    assert offered(again).token != token


def test_twenty_at_once_with_one_token_are_one_try(rig: DoorRig) -> None:
    token = ask(rig)
    with ThreadPoolExecutor(20) as pool:
        tries = [pool.submit(rig.begin, f"guess{n}", None, token, **HERE) for n in range(20)]
        allowed = [run.result().allowed for run in tries]
    assert sum(allowed) == 1


def test_the_delay_grows_with_the_client_s_own_failed_tries_and_ends_growing(rig: DoorRig) -> None:
    waits = []
    for number in range(10):
        rig.burn()
        offer = offered(rig.guess("x", **HERE))
        waits.append(offer.wait // SECOND)
        rig.clock.advance(offer.wait)
        assert rig.guess(f"challenged{number}", answer=offer.token, **HERE).allowed
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900]
    assert LONGEST_WAIT == 900 * SECOND


def test_what_others_fail_after_challenges_does_not_show_in_the_delay(rig: DoorRig) -> None:
    for number in range(5):
        there: dict[str, Any] = {"ip": f"192.0.{number}.8"}
        assert rig.guess(f"challenged{number}", answer=ask(rig, **there), **there).allowed
    assert offered(rig.guess("x", **HERE)).wait == FIRST_WAIT


def test_solved_challenges_end_at_twenty_a_day_and_are_offered_no_more(rig: DoorRig) -> None:
    passed = 0
    for number in range(30):
        there: dict[str, Any] = {"ip": f"192.0.{number}.8"}
        refused = rig.guess("x", **there).refused
        if refused is None or refused.offer is None:
            continue
        rig.clock.advance(refused.offer.wait)
        passed += rig.guess(f"challenged{number}", answer=refused.offer.token, **there).allowed
        rig.burn()
    assert passed == 20
    last = rig.guess("x", ip="192.0.99.8").refused
    assert last is not None
    assert last.refusal is Refusal.CHALLENGE
    assert last.offer is None


def test_one_client_leaves_tries_for_others(rig: DoorRig) -> None:
    passed = 0
    for number in range(14):
        rig.burn()
        refused = rig.guess("x", **HERE).refused
        assert refused is not None
        if refused.offer is not None:
            rig.clock.advance(refused.offer.wait)
            passed += rig.guess(f"challenged{number}", answer=refused.offer.token, **HERE).allowed
    assert passed == 10
    assert rig.log_in(answer=ask(rig, ip="192.0.2.8"), ip="192.0.2.8").allowed


def test_what_happened_under_another_name_does_not_show_in_what_is_offered() -> None:
    def told(linked: bool) -> list[bool]:
        rig = DoorRig()
        behind: dict[str, Any] = {"behind": "account:7"}
        rig.burn(account="username:owner", **behind)
        for number in range(20):
            there: dict[str, Any] = {"ip": f"192.0.{number}.8", "account": "username:owner", **behind}
            token = offered(rig.guess("x", **there)).token
            rig.clock.advance(FIRST_WAIT)
            assert rig.guess(f"challenged{number}", answer=token, **there).allowed
            rig.burn(account="username:owner", **behind)
        mail: dict[str, Any] = {"account": "email:owner@example.com", **(behind if linked else {})}
        rig.burn(**mail)
        refused = rig.guess("x", **HERE, **mail).refused
        assert refused is not None
        assert refused.offer is not None
        rig.clock.advance(refused.offer.wait)
        return [rig.guess("y", answer=refused.offer.token, **HERE, **mail).allowed]

    assert told(linked=True) == told(linked=False)


def test_a_challenge_taken_where_none_was_needed_is_counted_all_the_same() -> None:
    rig = DoorRig()
    rig.burn()
    token = ask(rig)
    rig.clock.advance(ACCEPTED_FOR - 1)
    left = rig.guard.foresee("login", replace(subject(**HERE), passed_challenge=True), 1)
    assert left is not None
    assert rig.guess("x", answer=token, **HERE).allowed
    after = rig.guard.foresee("login", replace(subject(**HERE), passed_challenge=True), 1)
    assert after is not None
    assert after.remaining["challenged"] == left.remaining["challenged"] - 1


def test_a_right_try_after_a_challenge_costs_none_of_them(rig: DoorRig) -> None:
    for number in range(12):
        there: dict[str, Any] = {"ip": f"192.0.{number}.8"}
        assert rig.log_in(answer=ask(rig, **there), **there).allowed


def test_a_known_device_is_never_asked(rig: DoorRig) -> None:
    fresh = DoorRig()
    browser = Browser()
    fresh.log_in(browser)
    fresh.burn()
    fresh.guard.shut(PRESETS["login"])
    for number in range(5):
        assert fresh.guess(f"wrong{number}", browser).allowed
    refused = fresh.guess("wrong", browser).refused
    assert refused is not None
    assert (refused.refusal, refused.offer) == (Refusal.RATE, None)


def test_a_revoked_device_answers_a_challenge_like_any_stranger() -> None:
    fresh = DoorRig()
    browser = Browser()
    fresh.log_in(browser)
    fresh.clock.advance(1)
    fresh.devices.revoke("typed:email:owner@example.com")
    fresh.burn()
    offer = offered(fresh.guess("x", browser, **HERE))
    fresh.clock.advance(offer.wait)
    assert fresh.log_in(browser, offer.token, **HERE).allowed


def test_a_device_that_needs_no_challenge_leaves_the_token_unspent() -> None:
    fresh = DoorRig()
    browser = Browser()
    fresh.log_in(browser)
    fresh.burn()
    token = ask(fresh)
    assert fresh.log_in(browser, token, **HERE).allowed
    assert fresh.log_in(Browser(), token, **HERE).allowed


def test_a_device_that_a_policy_steps_up_answers_too() -> None:
    text = '[policies.login.layers.crowd]\nscope = "id"\nlimit = "2/1h"\nmode = "step-up"\n'
    rig = DoorRig(read_policies(text))
    browser = Browser()
    rig.log_in(browser)
    rig.guess("x", browser)
    offer = offered(rig.guess("y", browser))
    rig.clock.advance(offer.wait)
    passed = rig.log_in(browser, offer.token)
    assert passed.allowed
    assert passed.known
    assert not rig.guess("z", browser, offer.token).allowed


def test_the_alarm_asks_strangers_and_says_so_with_429(rig: DoorRig) -> None:
    calm = DoorRig()
    calm.guard.shut(PRESETS["login"])
    refused = calm.guess("x", **HERE).refused
    assert refused is not None
    assert refused.refusal is Refusal.CHALLENGE
    assert refused.offer is not None
    calm.clock.advance(refused.offer.wait)
    assert calm.log_in(answer=refused.offer.token, **HERE).allowed


def test_a_sign_up_is_challenged_and_an_answer_lets_it_through() -> None:
    rig = DoorRig()
    counted = [rig.door.count("signup", Visit(subject(ip=f"198.51.{n}.7"))) for n in range(6)]
    assert [each.allowed for each in counted] == [True] * 5 + [False]
    offer = offered(counted[5])
    rig.clock.advance(offer.wait)
    visit = Visit(subject(ip="198.51.5.7"), answer=offer.token)
    assert rig.door.count("signup", visit).allowed
    assert not rig.door.count("signup", visit).allowed


class GoneStore(DeadStore):
    """A store of whose server nothing answers."""

    def now(self) -> int:
        raise StoreUnavailable("the server is gone")

    def peek(self, plan: Plan) -> Decision:
        raise StoreUnavailable("the server is gone")


def test_while_the_store_is_down_the_counters_in_its_place_offer_and_take_challenges() -> None:
    rig = DoorRig(store=GoneStore())
    rig.burn()
    token = ask(rig)
    assert rig.log_in(answer=token, **HERE).allowed
    assert not rig.guess("x", answer=token, **HERE).allowed


def test_layers_that_a_challenge_opened_are_not_in_shadow(rig: DoorRig) -> None:
    assert rig.log_in(answer=ask(rig), **HERE).allowed
    assert {event.shadow_denied for event in rig.recorder.events if isinstance(event, Decided)} == {()}
