"""Attempts: charged first, settled once, and what each outcome does to whom."""

from __future__ import annotations

import pytest

from authguard.errors import BlindAttempt, ConfigurationError, Overloaded
from authguard.events import Decided, Refused, Settled
from authguard.guard import Attempt
from authguard.guard.ruling import Refusal
from authguard.policy import Scope, Subject
from tests.guard.rig import Rig, subject


def guess(rig: Rig, secret: str, **who: str) -> Attempt:
    """Try ``secret`` and be wrong."""
    attempt = rig.guard.attempt("login", subject(**who), secret)
    if attempt.allowed:
        with attempt:
            pass
    return attempt


def log_in(rig: Rig, **who: str) -> Attempt:
    """Try the right secret."""
    attempt = rig.guard.attempt("login", subject(**who), "right")
    if attempt.allowed:
        with attempt:
            attempt.succeed()
    return attempt


def test_five_wrong_guesses_pass_and_the_sixth_is_refused() -> None:
    rig = Rig()
    outcomes = [guess(rig, f"wrong{n}").allowed for n in range(7)]
    assert outcomes == [True] * 5 + [False] * 2


def test_a_refused_attempt_may_come_back_exactly_when_it_was_told() -> None:
    rig = Rig()
    for n in range(5):
        guess(rig, f"wrong{n}")
        rig.clock.advance(1_000_000)
    refused = guess(rig, "wrong5").refused
    assert refused is not None
    rig.clock.advance(refused.retry_after - 1)
    assert not guess(rig, "wrong6").allowed
    rig.clock.advance(1)
    assert guess(rig, "wrong7").allowed


def test_leaving_by_an_exception_is_a_failure() -> None:
    rig = Rig()
    with pytest.raises(RuntimeError), rig.guard.attempt("login", subject(), "x"):
        raise RuntimeError
    assert [event.outcome for event in rig.recorder.events if isinstance(event, Settled)] == ["failure"]


def test_who_found_no_room_for_the_check_has_not_failed() -> None:
    rig = Rig()
    for n in range(6):
        with pytest.raises(Overloaded), rig.guard.attempt("login", subject(), f"unseen{n}"):
            raise Overloaded("hash_slots")
    assert [guess(rig, f"wrong{n}").allowed for n in range(6)] == [True] * 5 + [False]


def test_success_clears_what_the_same_client_failed_on_this_account() -> None:
    rig = Rig()
    for n in range(4):
        guess(rig, f"wrong{n}")
    assert log_in(rig).allowed
    assert [guess(rig, f"again{n}").allowed for n in range(6)] == [True] * 5 + [False]


def test_success_keeps_what_strangers_failed_on_the_account() -> None:
    rig = Rig()
    for n in range(4):
        guess(rig, f"wrong{n}", ip="198.51.100.7")
    assert log_in(rig).allowed
    assert guess(rig, "wrong4", ip="198.51.100.7").allowed
    assert not guess(rig, "wrong5", ip="198.51.100.7").allowed


def test_own_success_never_clears_the_address() -> None:
    rig = Rig()
    for n in range(20):
        guess(rig, "wrong", account=f"email:victim{n % 3}@example.com{n}")
        log_in(rig, account="email:attacker@example.com")
    decision = guess(rig, "wrong", account="email:one-more@example.com").decision
    assert decision is not None
    login = rig.guard.policy("login")
    assert any(Scope.IP in login.layer(name).scopes for name in decision.denied)


def test_a_partial_outcome_gives_the_charge_back_and_clears_nothing() -> None:
    rig = Rig()
    for n in range(4):
        guess(rig, f"wrong{n}")
    for _ in range(3):
        with rig.guard.attempt("login", subject(), "right") as attempt:
            attempt.partial()
    assert [guess(rig, f"again{n}").allowed for n in range(2)] == [True, False]


def test_the_first_word_counts() -> None:
    rig = Rig()
    with rig.guard.attempt("login", subject(), "x") as attempt:
        attempt.fail()
        attempt.succeed()
    assert [event.outcome for event in rig.recorder.events if isinstance(event, Settled)] == ["failure"]


def test_twenty_parallel_valid_logins_of_one_client_share_one_charge() -> None:
    rig = Rig()
    attempts = [rig.guard.attempt("login", subject(), "right") for _ in range(20)]
    assert all(attempt.allowed for attempt in attempts)
    for attempt in attempts:
        attempt.succeed()
    assert [guess(rig, f"wrong{n}").allowed for n in range(6)] == [True] * 5 + [False]


def test_the_same_wrong_secret_by_the_same_client_counts_once() -> None:
    rig = Rig()
    assert all(guess(rig, "stale").allowed for _ in range(12))
    assert [guess(rig, f"wrong{n}").allowed for n in range(5)] == [True] * 4 + [False]


def test_attempts_are_bounded_even_when_right() -> None:
    rig = Rig()
    allowed = sum(log_in(rig).allowed for _ in range(50))
    assert allowed == 30


def test_two_names_of_one_account_share_its_budget_without_saying_so() -> None:
    rig = Rig()
    name = {"account": "username:owner", "behind": "account:7"}
    mail = {"account": "email:owner@example.com", "behind": "account:7"}
    for n in range(5):
        assert guess(rig, f"wrong{n}", ip="198.51.100.7", **name).allowed
    blind = guess(rig, "wrong5", ip="203.0.113.5", **mail)
    # To the client it is one more wrong password; nothing may succeed all the same.
    assert blind.allowed
    assert blind.blind
    stranger = rig.guard.attempt("login", subject(account="email:stranger@example.com", ip="203.0.113.6"), "x")
    assert stranger.allowed
    assert not stranger.blind


def test_what_the_second_name_is_told_does_not_depend_on_the_first() -> None:
    def told(linked: bool) -> list[bool]:
        rig = Rig()
        behind = {"behind": "account:7"}
        for n in range(5):
            guess(rig, f"wrong{n}", ip="198.51.100.7", account="username:owner", **behind)
        mail = {"account": "email:owner@example.com", **(behind if linked else {})}
        return [guess(rig, f"other{n}", ip="203.0.113.5", **mail).allowed for n in range(8)]

    assert told(linked=True) == told(linked=False)


def test_the_same_guess_again_does_not_make_a_blind_attempt_see() -> None:
    rig = Rig()
    for n in range(5):
        guess(rig, f"wrong{n}", ip="198.51.100.7", account="username:owner", behind="account:7")
    for _ in range(3):
        again = rig.guard.attempt("login", subject(behind="account:7"), "right")
        assert again.blind
        again.fail()


@pytest.mark.parametrize("guesses", ["abcdefg", "aaaaaaaaa", "abcdefabcdef", "aabbccddeeffgaz"])
def test_whatever_is_guessed_and_repeated_the_second_name_is_told_the_same(guesses: str) -> None:
    def told(linked: bool) -> list[object]:
        rig = Rig()
        for n in range(5):
            guess(rig, f"wrong{n}", ip="198.51.100.7", account="username:owner", behind="account:7")
            rig.clock.advance(60_000_000)
        answers: list[object] = []
        for letter in guesses:
            attempt = guess(rig, letter, ip="203.0.113.5", **({"behind": "account:7"} if linked else {}))
            answers.append(attempt.refused)
            rig.clock.advance(1_000_000)
        return answers

    assert told(linked=True) == told(linked=False)


def test_a_blind_attempt_can_not_succeed() -> None:
    rig = Rig()
    for n in range(5):
        guess(rig, f"wrong{n}", ip="198.51.100.7", account="username:owner", behind="account:7")
    for end in ("succeed", "partial"):
        attempt = rig.guard.attempt("login", subject(behind="account:7"), f"right to {end}")
        assert attempt.blind
        attempt.when_succeeded(lambda: pytest.fail("nobody got in"))
        with pytest.raises(BlindAttempt):
            getattr(attempt, end)()
    settled = [event.outcome for event in rig.recorder.events if isinstance(event, Settled)]
    assert settled[-2:] == ["failure", "failure"]


def test_only_a_success_that_counts_is_told() -> None:
    rig = Rig()
    heard: list[str] = []
    for end in ("partial", "fail", "succeed"):
        attempt = rig.guard.attempt("login", subject(behind="account:7"), "right")
        attempt.when_succeeded(lambda: heard.append("in"))
        getattr(attempt, end)()
        attempt.succeed()
    assert heard == ["in"]


def test_a_subject_without_identity_is_refused_and_never_counted() -> None:
    rig = Rig()
    attempt = rig.guard.attempt("login", Subject({}), "x")
    assert attempt.refused is not None
    assert attempt.refused.refusal is Refusal.IDENTITY
    assert [type(event) for event in rig.recorder.events] == [Refused]


def test_an_unknown_policy_is_a_configuration_error_that_names_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="login"):
        Rig().guard.attempt("logn", subject(), "x")


def test_each_decision_is_told_to_the_observers() -> None:
    rig = Rig()
    for n in range(6):
        guess(rig, f"wrong{n}")
    decided = [event for event in rig.recorder.events if isinstance(event, Decided)]
    assert [event.verdict for event in decided[:5]] == ["allow"] * 5
    assert decided[5].verdict == "challenge"
    assert "account" in decided[5].denied
