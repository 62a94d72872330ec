"""Tokens of challenges: good for one client, one account, one time, and for as long as they say."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from authguard.clock import SECOND
from authguard.guard import Seal
from authguard.identity import Pseudonymizer
from authguard.limits import Limit
from authguard.login.challenge import ACCEPTED_FOR, FIRST_WAIT, LONGEST_WAIT, Context, DelayChallenger
from authguard.policy import PRESETS
from tests.guard.rig import Recorder
from tests.login.door_rig import HERE, SECRET, Browser, DoorRig, ask, offered


@pytest.fixture
def rig(rig: DoorRig) -> DoorRig:
    """A rig whose owner's account strangers have burnt."""
    rig.burn()
    return rig


def test_too_early_is_not_answered_and_moves_nothing(rig: DoorRig) -> None:
    offer = offered(rig.guess("x", **HERE))
    rig.clock.advance(offer.wait - 1)
    early = offered(rig.guess("x", answer=offer.token, **HERE))
    assert (early.token, early.wait) == (offer.token, 1)
    rig.clock.advance(1)
    assert rig.guess("x", answer=offer.token, **HERE).allowed


def test_too_late_is_not_answered_either(rig: DoorRig) -> None:
    token = ask(rig)
    rig.clock.advance(ACCEPTED_FOR)
    assert not rig.guess("x", answer=token, **HERE).allowed


def test_a_used_token_stays_used_for_as_long_as_it_could_be_accepted(rig: DoorRig) -> None:
    token = ask(rig)
    assert rig.guess("x", answer=token, **HERE).allowed
    rig.clock.advance(ACCEPTED_FOR - 1)
    assert not rig.guess("y", answer=token, **HERE).allowed


@pytest.mark.parametrize(
    "elsewhere",
    [{"account": "email:other@example.com"}, {"ip": "203.0.114.5"}],
)
def test_a_token_is_worth_nothing_on_another_account_or_network(rig: DoorRig, elsewhere: dict[str, Any]) -> None:
    token = ask(rig)
    rig.burn(account="email:other@example.com")
    assert not rig.guess("x", answer=token, **{**HERE, **elsewhere}).allowed


def test_a_token_follows_its_client_within_the_network(rig: DoorRig) -> None:
    token = ask(rig)
    assert rig.guess("x", answer=token, ip="203.0.113.99").allowed


def test_a_token_is_worth_nothing_under_another_policy() -> None:
    rig = DoorRig({"login": PRESETS["login"], "other": replace(PRESETS["login"], name="other")})
    rig.burn()
    for number in range(8):
        attempt = rig.begin(f"wrong{number}", policy="other", ip=f"198.51.{number}.7")
        attempt.fail()
    token = ask(rig)
    assert not rig.begin("x", answer=token, policy="other", **HERE).allowed
    assert rig.begin("x", answer=token, **HERE).allowed


@pytest.mark.parametrize("answer", ["x", "A" * 140, "é", "A" * 5000, "\x00"])
def test_what_is_no_answer_is_like_none(rig: DoorRig, answer: str) -> None:
    assert offered(rig.guess("x", answer=answer, **HERE)).wait == FIRST_WAIT


def test_a_device_s_cookie_is_no_answer_and_an_answer_no_cookie(rig: DoorRig) -> None:
    known = DoorRig()
    browser = Browser()
    known.log_in(browser)
    (value,) = browser.jar.values()
    assert not rig.guess("x", answer=value, **HERE).allowed
    (name,) = browser.jar
    browser.jar[name] = ask(rig)
    assert known.devices.recognise("typed:email:owner@example.com", browser.jar) is None


CONTEXT = Context("login", "email:owner@example.com", "203.0.113.0/24")


def delay(current: bytes, *previous: bytes) -> DelayChallenger:
    seal = Seal([current, *previous], app="test", purpose="challenge")
    return DelayChallenger(seal, Pseudonymizer(current, app="test", previous=previous))


def test_a_token_outlives_a_rotation_and_keeps_its_time() -> None:
    now, new = 1_700_000_000 * SECOND, b"n" * 32
    token = delay(SECRET).offer(CONTEXT, now, 0, "").token
    rotated = delay(new, SECRET)
    assert rotated.check(token, CONTEXT, now + FIRST_WAIT - 1) is None
    nonce = rotated.check(token, CONTEXT, now + FIRST_WAIT)
    assert nonce == delay(SECRET).check(token, CONTEXT, now + FIRST_WAIT)
    assert nonce is not None
    assert rotated.check(token, CONTEXT, now + FIRST_WAIT + ACCEPTED_FOR) is None
    assert delay(new).check(token, CONTEXT, now + FIRST_WAIT) is None


def test_a_clock_set_back_makes_nobody_wait_for_it_to_catch_up() -> None:
    now = 1_700_000_000 * SECOND
    token = delay(SECRET).offer(CONTEXT, now, 0, "").token
    again = delay(SECRET).offer(CONTEXT, now - 3600 * SECOND, 0, token)
    assert again.token != token
    assert again.wait == FIRST_WAIT


def test_a_claim_is_remembered_for_a_challenge_s_whole_life() -> None:
    assert delay(SECRET).life >= LONGEST_WAIT + ACCEPTED_FOR
    assert Limit(1, delay(SECRET).life).period > 0


def test_a_challenge_says_nothing_personal(rig: DoorRig) -> None:
    offer = offered(rig.guess("x", **HERE))
    assert len(offer.token) < 200
    assert isinstance(rig.recorder, Recorder)
    assert "example" not in repr(rig.recorder.events) + offer.token


def test_no_number_of_tries_makes_the_wait_overflow() -> None:
    for tries in (-1, 7, 8, 100, 10**9):
        offer = delay(SECRET).offer(CONTEXT, 0, tries, "")
        assert FIRST_WAIT <= offer.wait <= LONGEST_WAIT
