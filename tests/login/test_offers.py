"""Offers: who was told that the password is wrong, because strangers use up the account, has a way in all the same."""

from __future__ import annotations

from typing import Any

from authguard.clock import SECOND
from authguard.guard import Offer
from authguard.login.challenge import FIRST_WAIT
from authguard.login.door import Visit
from tests.guard.rig import subject
from tests.login.door_rig import Browser, DoorRig, ask

ACCOUNT = "account:7"
FIRST: dict[str, Any] = {"account": "email:owner@example.com", "behind": ACCOUNT}
SECOND_NAME: dict[str, Any] = {"account": "phone:+41791234567", "behind": ACCOUNT, "ip": "203.0.113.5"}


def offer(rig: DoorRig, answer: str = "", **who: Any) -> Offer:
    made = rig.door.offer("login", Visit(subject(**who), None, answer))
    assert made is not None
    return made


def test_strangers_on_one_name_keep_an_owner_who_knows_the_other_waiting_and_not_out(rig: DoorRig) -> None:
    rig.burn(**FIRST)
    blind = rig.guess("right", **SECOND_NAME)
    assert (blind.allowed, blind.blind) == (True, True)
    made = offer(rig, **SECOND_NAME)
    early = rig.begin("right", answer=made.token, **SECOND_NAME)
    assert (early.allowed, early.blind) == (True, True)
    early.fail()
    rig.clock.advance(made.wait)
    owner = rig.begin("right", answer=made.token, **SECOND_NAME)
    assert (owner.allowed, owner.blind) == (True, False)


def test_what_is_offered_and_told_does_not_depend_on_the_other_name() -> None:
    def told(linked: bool) -> list[object]:
        rig = DoorRig()
        rig.burn(**FIRST)
        for number in range(20):
            there: dict[str, Any] = {**FIRST, "ip": f"192.0.{number}.8"}
            rig.guess(f"challenged{number}", answer=ask(rig, **there), **there)
            rig.burn(**FIRST)
        who = {**SECOND_NAME, "behind": ACCOUNT if linked else "account:8"}
        answers: list[object] = []
        token = ""
        for number in range(24):
            answers.append(rig.guess(f"wrong{number}", answer=token, **who).refused is None)
            made = rig.door.offer("login", Visit(subject(**who), None, token))
            token = made.token if made is not None else ""
            answers.append(made and made.wait)
            rig.clock.advance(made.wait if made is not None else 60 * SECOND)
        return answers

    assert told(linked=True) == told(linked=False)


def test_offers_buy_no_more_than_challenges_ever_did(rig: DoorRig) -> None:
    looked_at = 0
    for number in range(60):
        there = {**SECOND_NAME, "ip": f"192.0.{number}.8"}
        rig.burn(**FIRST)
        made = rig.door.offer("login", Visit(subject(**there)))
        if made is not None:
            rig.clock.advance(made.wait)
            attempt = rig.guess(f"guess{number}", answer=made.token, **there)
            looked_at += attempt.allowed and not attempt.blind
    assert looked_at == 20


def test_who_comes_back_too_early_keeps_the_time_that_was_waited(rig: DoorRig) -> None:
    made = offer(rig, **SECOND_NAME)
    rig.clock.advance(2 * SECOND)
    again = offer(rig, answer=made.token, **SECOND_NAME)
    assert (again.token, again.wait) == (made.token, FIRST_WAIT - 2 * SECOND)


def test_a_known_device_is_offered_nothing_that_would_not_let_it_try(rig: DoorRig) -> None:
    browser = Browser()
    rig.log_in(browser, **FIRST)
    device = rig.devices.recognise(subject(**FIRST).own_id, browser.jar)
    made = []
    for number in range(5):
        rig.guess(f"wrong{number}", browser, **FIRST)
        made.append(rig.door.offer("login", Visit(subject(**FIRST), device)) is not None)
    assert made == [True, True, True, True, False]
    rig.clock.advance(SECOND)
    rig.devices.revoke(subject(**FIRST).own_id)
    # It is a stranger now: what it failed before is another lane's.
    assert rig.guess("wrong", browser, **FIRST).allowed
