"""Second factors on each store: right once, and a budget of their own that the first factor does not refill."""

from __future__ import annotations

import pytest
from pyotp import TOTP

from authguard.clock import SECOND
from authguard.guard.ruling import Refusal
from authguard.otp import Direct
from authguard.otp.authenticator_app import AuthenticatorApp, new_app
from authguard.otp.checking import Checked
from authguard.otp.factors import Factors
from authguard.otp.recovery import hash_recovery_code, new_recovery_codes
from authguard.policy import Scope
from authguard.stores.memory import MemoryStore
from tests.guard.rig import DeadStore
from tests.otp.race import at_once
from tests.otp.rig import Person, Rig

MINUTE = 60 * SECOND
APP = new_app()


class Account:
    """One account with an app and recovery codes, seen from one client."""

    def __init__(self, rig: Rig, ip: str = "192.0.2.1", known: bool = False) -> None:
        self.rig, self.ip, self.known = rig, ip, known
        foundation = rig.foundation
        self.factors = Factors(foundation.store, foundation.pseudonymizer, rig.recorder)
        self.codes = new_recovery_codes(3)
        self.hashes = [hash_recovery_code("42", code) or "" for code in self.codes]

    def entrance(self, kind: str) -> Direct:
        factor = f"factor:{kind}:42"
        person = Person(to="42", ip=self.ip, known=self.known, more={Scope.ID: factor, Scope.AUTHENTICATOR: factor})
        return Direct(self.rig.foundation.guard, person.subject)

    def now(self) -> str:
        return TOTP(APP.secret).at(self.rig.store.now() // SECOND)

    def app(self, code: object, app: AuthenticatorApp | None = APP) -> Checked:
        return self.factors.check_app(self.entrance("app"), "42", app, code)

    def recover(self, code: object) -> Checked:
        return self.factors.check_recovery(self.entrance("recovery"), "42", tuple(self.hashes), code, self.strike)

    def strike(self, made: str) -> bool:
        try:
            self.hashes.remove(made)
        except ValueError:
            return False
        return True


def test_a_code_of_the_app_is_right_once(any_rig: Rig) -> None:
    account = Account(any_rig)
    code = account.now()
    assert account.app(code).right
    assert not account.app(code).right
    assert any_rig.results() == ["right", "used"]


def test_the_code_of_the_next_step_is_right_too_and_then_used_up(rig: Rig) -> None:
    account = Account(rig)
    ahead = TOTP(APP.secret).at(rig.store.now() // SECOND + 30)
    assert account.app(ahead).right
    rig.advance(30 * SECOND)
    assert account.now() == ahead
    assert not account.app(ahead).right


def test_a_code_that_was_seen_and_left_is_no_good_once_a_later_one_was_used(any_rig: Rig) -> None:
    account, now = Account(any_rig), any_rig.store.now() // SECOND
    seen, used, later = (TOTP(APP.secret).at(now + step) for step in (-30, 0, 30))
    assert account.app(used).right
    assert not account.app(seen).right
    assert account.app(later).right
    assert any_rig.results() == ["right", "used", "right"]


def test_fifty_at_once_have_one_winner(any_rig: Rig) -> None:
    account = Account(any_rig)
    code = account.now()
    won = at_once(50, lambda: account.app(code).right)
    assert sum(won) == 1


def test_the_password_right_again_and_again_buys_no_more_guesses(rig: Rig) -> None:
    account = Account(rig)
    guessed = 0
    for number in range(40):
        login = rig.foundation.guard.attempt("login", Person().subject, "the right password")
        login.partial()
        guessed += account.app(f"{number:06d}").refused is None
    assert guessed == 5
    refused = account.app(account.now()).refused
    assert refused is not None
    assert refused.refusal is Refusal.RATE


def test_one_wrong_code_tried_as_the_app_moves_on_is_a_guess_in_each_step(rig: Rig) -> None:
    account, start = Account(rig), rig.store.now() // SECOND
    shown = {TOTP(APP.secret).at(start + 30 * step) for step in range(-1, 11)}
    wrong = next(code for code in (f"{number:06d}" for number in range(20)) if code not in shown)
    guessed = 0
    for _ in range(10):
        twice = [account.app(wrong).refused for _ in range(2)]
        guessed += twice == [None, None]
        rig.advance(30 * SECOND)
    assert guessed == 5


def test_what_strangers_guess_leaves_the_owners_device_its_tries(rig: Rig) -> None:
    for number in range(10):
        Account(rig, f"198.51.{number}.1").app(f"{number:06d}")
    owner = Account(rig, known=True)
    assert owner.app(owner.now()).right


def test_guesses_at_the_app_leave_the_recovery_codes_alone(rig: Rig) -> None:
    account = Account(rig)
    for number in range(10):
        account.app(f"{number:06d}")
    assert account.recover(account.codes[0]).right


def test_a_recovery_code_is_right_once(any_rig: Rig) -> None:
    account = Account(any_rig)
    assert account.recover(account.codes[1].lower()).right
    assert len(account.hashes) == 2
    assert not account.recover(account.codes[1]).right
    assert account.recover(account.codes[2]).right


def test_one_that_another_process_has_struck_out_is_wrong(rig: Rig) -> None:
    account = Account(rig)
    account.strike = lambda made: False  # type: ignore[method-assign]
    assert not account.recover(account.codes[0]).right
    assert rig.results() == ["used"]


def test_it_stays_used_in_the_store_while_it_is_being_struck_out(rig: Rig) -> None:
    account = Account(rig)
    account.strike = lambda made: True  # type: ignore[method-assign]
    assert [account.recover(account.codes[0]).right for _ in range(3)] == [True, False, False]


@pytest.mark.parametrize("code", ["", "0" * 24, None, 123, ["a"], "x" * 5000])
def test_what_is_no_recovery_code_is_wrong(rig: Rig, code: object) -> None:
    account = Account(rig)
    checked = account.recover(code)
    assert (checked.right, checked.refused) == (False, None)
    assert len(account.hashes) == 3


def test_an_account_without_an_app_is_wrong_whatever_the_stand_in_shows(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TOTP, "generate_otp", lambda self, step: "000000")
    assert not Account(rig).app("000000", None).right


def test_an_account_without_an_app_is_wrong_like_any_other(rig: Rig) -> None:
    account = Account(rig)
    assert account.app(account.now(), None) == account.app("000000") == Checked(False)


def test_without_a_store_nothing_is_right() -> None:
    rig = Rig(DeadStore())
    account = Account(rig)
    refusals = [account.app("000000").refused, account.recover(account.codes[0]).refused]
    assert [refused and refused.refusal for refused in refusals] == [Refusal.BUSY] * 2
    rig.close()


def test_success_clears_what_the_same_client_failed() -> None:
    rig = Rig(MemoryStore())
    account = Account(rig)
    for number in range(4):
        account.app(f"{number:06d}")
    assert account.app(account.now()).right
    for number in range(4):
        assert account.app(f"{number:06d}").refused is None
    rig.close()
