"""Guesses: an identity's budget survives new challenges, flows, addresses and browsers (law 12)."""

from __future__ import annotations

from authguard.clock import SECOND
from authguard.guard.ruling import Refusal
from authguard.limits import Limit, Outcome
from authguard.otp.rules import VERSIONS
from authguard.policy import PRESETS, Layer, Policy, Scope
from tests.otp.rig import Person, Rig

OWNER = Person()
MINUTE = 60 * SECOND
FREE = {**PRESETS, "otp-send": Policy("otp-send", (Layer("all", (Scope.GLOBAL,), Limit.parse("9999/1m")),))}
"""Messages without a limit of their own, so that what is left is the guesses'."""
FREEST = {**FREE, "message": Policy("message", (Layer("ladder", (Scope.DESTINATION,), Limit.parse("99/1h")),))}
"""And without ladders."""


def test_a_challenge_has_so_many_messages_and_then_another_begins() -> None:
    rig = Rig(policies=FREEST)
    token = rig.ask(OWNER).token
    for number in range(VERSIONS):
        assert not rig.right(OWNER, token, rig.wrong(number))
        rig.advance(4 * MINUTE)
        token = rig.ask(OWNER, token).token
    # Of the first challenge one try would be left; the one after it has all five.
    for number in range(4):
        assert not rig.right(OWNER, token, rig.wrong(number))
    assert rig.right(OWNER, token, rig.code())
    rig.close()


def test_new_challenges_do_not_refill_the_identitys_guesses() -> None:
    """Three guesses, a new code, three guesses: twenty a day, from all addresses and browsers, in all flows."""
    rig = Rig(policies=FREE)
    guessed = 0
    for number in range(40):
        person = OWNER.but(ip=f"198.51.{number}.1", browser=f"{number:032x}", purpose=f"p{number % 3}")
        sent = rig.ask(person)
        for guess in range(3):
            guessed += rig.check(person, sent.token, rig.wrong(guess)).refused is None
        rig.advance(20 * MINUTE)
    assert guessed == 20
    sent = rig.ask(OWNER)
    refused = rig.check(OWNER, sent.token, rig.code()).refused
    assert refused is not None
    assert refused.refusal is Refusal.RATE
    known = OWNER.but(known=True)
    sent = rig.ask(known)
    assert rig.right(known, sent.token, rig.code())
    rig.close()


def test_guesses_at_a_code_that_is_too_old_burn_nothing(rig: Rig) -> None:
    """Whoever keeps one token could burn a budget each day with it, and its owner would get no message of that."""
    stranger = OWNER.but(ip="203.0.113.5", browser="e" * 32)
    token = rig.ask(stranger).token
    for number in range(60):
        rig.advance(5 * MINUTE)
        assert not rig.right(stranger.but(ip=f"198.51.{number}.1"), token, rig.code())
    assert rig.results() == ["expired"] * 60
    sent = rig.ask(OWNER)
    assert rig.right(OWNER, sent.token, rig.code())


def test_the_same_digits_at_another_challenge_are_another_guess() -> None:
    rig = Rig(policies=FREEST)
    guessed = 0
    for number in range(30):
        person = OWNER.but(browser=f"{number:032x}")
        token = rig.ask(person).token
        if rig.code() != "000000":
            guessed += rig.check(person, token, "000000").refused is None
        rig.advance(20 * MINUTE)
    assert guessed == 20
    rig.close()


def test_a_code_before_another_factor_gives_back_its_own_guess_and_nothing_else() -> None:
    for outcome, left in ((Outcome.SUCCESS, 20), (Outcome.PARTIAL, 16)):
        rig = Rig(policies=FREEST)
        sent = rig.ask(OWNER)
        for number in range(4):
            assert not rig.right(OWNER, sent.token, rig.wrong(number))
        assert rig.check(OWNER, sent.token, rig.code(), outcome).right
        guessed = 0
        for number in range(25):
            rig.advance(MINUTE)
            person = OWNER.but(ip=f"198.51.{number}.1")
            guessed += rig.check(person, rig.ask(person).token, rig.wrong()).refused is None
        assert guessed == left
        rig.close()


def test_an_account_with_two_names_has_one_budget_and_does_not_show_it() -> None:
    """Under the second name even the right code is wrong, like any other; its owner has the link, or a known device."""
    rig = Rig(policies=FREEST)
    for number in range(20):
        person = OWNER.but(ip=f"198.51.{number}.1")
        assert not rig.right(person, rig.ask(person).token, rig.wrong())
        rig.advance(6 * MINUTE)
    renamed = OWNER.but(to="alias@example.com", ip="192.0.2.9")
    sent = rig.ask(renamed)
    assert not rig.right(renamed, sent.token, rig.code())
    assert rig.results()[-1] == "wrong"
    assert rig.follow(renamed, rig.link()).reader is not None
    rig.close()


def test_guesses_at_a_code_that_is_too_old_do_not_tie_two_names_together() -> None:
    """They are given back under the second name too, though nothing may succeed there: its own budget would tell."""
    rig = Rig(policies=FREEST)
    for number in range(20):
        person = OWNER.but(ip=f"198.51.{number}.1")
        assert not rig.right(person, rig.ask(person).token, rig.wrong())
        rig.advance(6 * MINUTE)
    renamed = OWNER.but(to="alias@example.com")
    token = rig.ask(renamed).token
    for number in range(25):
        rig.advance(5 * MINUTE)
        assert not rig.right(renamed.but(ip=f"203.0.{number}.1"), token, rig.wrong(number))
    assert rig.results()[20:] == ["expired"] * 25
    rig.close()


def test_guesses_at_a_code_that_is_too_old_tell_detection_nothing() -> None:
    """Nobody looked at a secret: whoever asks for codes of many accounts would have let all of them seem to get in."""
    seen: list[Outcome] = []
    rig = Rig(policies=FREE, watch=lambda policy, subject, outcome: seen.append(outcome))
    token = rig.ask(OWNER).token
    rig.advance(5 * MINUTE)
    assert not rig.right(OWNER, token, rig.code())
    assert rig.results() == ["expired"]
    assert seen == []
    rig.close()


def test_a_stolen_cookie_has_one_budget_under_all_names_of_its_account() -> None:
    rig = Rig(policies=FREEST)
    for number in range(20):
        thief = OWNER.but(to=f"name{number % 4}@example.com", ip=f"198.51.{number}.1", known=True)
        assert not rig.right(thief, rig.ask(thief).token, rig.wrong())
        rig.advance(6 * MINUTE)
    thief = OWNER.but(to="name4@example.com", known=True)
    assert rig.check(thief, rig.ask(thief).token, rig.code()).refused is not None
    owner = OWNER.but(more={Scope.DEVICE: "d2"}, known=True)
    assert rig.right(owner, rig.ask(owner).token, rig.code())
    rig.close()


def test_the_same_wrong_code_again_costs_the_challenge_a_try_and_the_identity_nothing() -> None:
    rig = Rig(policies=FREEST)
    for number in range(15):
        person = OWNER.but(browser=f"{number:032x}")
        token = rig.ask(person).token
        for _ in range(5):
            assert rig.check(person, token, rig.wrong()).refused is None
        assert not rig.right(person, token, rig.code())
        rig.advance(16 * MINUTE)
    rig.close()


def test_the_same_wrong_code_again_after_a_resend_is_another_guess() -> None:
    """Between the two the live code may have changed: one charge must not pay for a look at both."""
    rig = Rig(policies=FREEST)
    guessed = 0
    for number in range(15):
        person = OWNER.but(browser=f"{number:032x}")
        token = rig.ask(person, rig.ask(person).token).token
        guessed += sum(rig.check(person, token, rig.wrong()).refused is None for _ in range(2))
        rig.advance(16 * MINUTE)
    assert guessed == 20
    rig.close()


def test_success_gives_back_its_own_guess_and_what_the_same_client_failed(rig: Rig) -> None:
    for _ in range(12):
        sent = rig.ask(OWNER)
        assert sent.refused is None
        for number in range(4):
            assert not rig.right(OWNER, sent.token, rig.wrong(number))
        assert rig.right(OWNER, sent.token, rig.code())
        rig.advance(25 * 60 * MINUTE)
