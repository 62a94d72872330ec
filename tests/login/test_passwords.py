"""Passwords are hashed and checked, and nobody ever logs in on a dummy."""

from __future__ import annotations

import pytest

from authguard.errors import ConfigurationError, Overloaded, PasswordError
from authguard.login.adapters import BcryptHasher, WerkzeugHasher
from authguard.login.argon2_hasher import OWASP_MINIMUM, UNSAFE_FOR_TESTS, Argon2Hasher, Argon2Profile
from authguard.login.hashers import Fit, HasherFailed
from authguard.login.passwords import Outcome, Passwords, Verification
from authguard.login.text import Normalization

CHEAP = Argon2Hasher(UNSAFE_FOR_TESTS)
OLDER = Argon2Hasher(Argon2Profile(16, 2, 1, "older"))


class Transparent:
    """A scheme that hides nothing: its dummy can be read, as if somebody had stolen and cracked it."""

    memory = 1
    normalization = Normalization.AS_TYPED

    def __init__(self) -> None:
        self.hashed: list[str] = []
        self.broken = False

    def hash(self, password: str) -> str:
        if self.broken:
            raise HasherFailed("test")
        self.hashed.append(password)
        return f"clear:{password}"

    def verify(self, stored: str, password: str) -> bool:
        if self.broken:
            raise HasherFailed("test")
        return stored == f"clear:{password}"

    def fit(self, stored: str) -> Fit:
        return Fit.CURRENT if stored.startswith("clear:") else Fit.FOREIGN


class Forgetful(Transparent):
    """A scheme that finds its own hashes outdated."""

    def fit(self, stored: str) -> Fit:
        return Fit.OTHER_PARAMETERS


def test_hash_and_verify_with_the_defaults() -> None:
    passwords = Passwords()
    stored = passwords.hash("correct horse")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert passwords.verify(stored, "correct horse")
    assert passwords.verify(stored.encode(), "correct horse")
    assert not passwords.verify(stored, "Correct horse")
    assert not passwords.verify(None, "correct horse")
    assert OWASP_MINIMUM.memory_kib == 19 * 1024


def test_even_the_dummys_own_password_logs_nobody_in() -> None:
    scheme = Transparent()
    told: list[Outcome] = []
    passwords = Passwords(scheme, report=told.append)
    [dummy_password] = scheme.hashed
    assert scheme.verify(f"clear:{dummy_password}", dummy_password)
    assert not passwords.verify(None, dummy_password)
    assert passwords.verify_and_rehash(None, dummy_password) == Verification(matches=False, replacement=None)
    assert told == [Outcome.NO_HASH] * 2


def test_every_construction_has_a_dummy_of_its_own() -> None:
    scheme = Transparent()
    for _ in range(3):
        Passwords(scheme)
    assert len(set(scheme.hashed)) == 3
    assert min(map(len, scheme.hashed)) >= 43


def test_the_dummys_password_is_kept_nowhere() -> None:
    scheme = Transparent()
    passwords = Passwords(CHEAP, adapters=())
    Passwords(scheme)
    [dummy_password] = scheme.hashed
    held = [value for value in vars(passwords).values() if isinstance(value, str | tuple)]
    assert all(dummy_password not in str(value) for value in held)
    assert [value for value in held if "$argon2id$" in str(value)] == [passwords._dummies]


def test_each_check_is_reported_once() -> None:
    told: list[Outcome] = []
    passwords = Passwords(CHEAP, report=told.append)
    stored = passwords.hash("right")
    for subject, password in [(stored, "right"), (stored, "wrong"), (None, "right"), ("!", "right")]:
        passwords.verify(subject, password)
    assert told == [Outcome.MATCH, Outcome.MISMATCH, Outcome.NO_HASH, Outcome.UNUSABLE_HASH]


def test_a_failing_observer_changes_no_answer(caplog: pytest.LogCaptureFixture) -> None:
    def fail(outcome: Outcome) -> None:
        raise RuntimeError(outcome)

    passwords = Passwords(CHEAP, report=fail)
    stored = passwords.hash("right")
    assert passwords.verify(stored, "right")
    assert not passwords.verify(None, "right")
    assert len(caplog.records) == 2


def test_an_outdated_hash_is_replaced_by_one_that_stands() -> None:
    for older in (OLDER, WerkzeugHasher("scrypt:1024:8:1"), BcryptHasher(4)):
        passwords = Passwords(CHEAP, adapters=(older,))
        old = older.hash("right")
        assert passwords.needs_rehash(old)
        replacement = passwords.verify_and_rehash(old, "right").replacement
        assert replacement is not None
        assert not passwords.needs_rehash(replacement)
        assert passwords.verify_and_rehash(replacement, "right") == Verification(matches=True, replacement=None)
        assert passwords.verify_and_rehash(old, "wrong") == Verification(matches=False, replacement=None)


def test_parameters_that_no_hasher_has_are_still_read() -> None:
    passwords = Passwords(CHEAP)
    assert passwords.verify(OLDER.hash("right"), "right")
    assert passwords.verify_and_rehash(OLDER.hash("right"), "right").replacement is not None


def test_a_replacement_that_cannot_be_made_does_not_spoil_the_login() -> None:
    long = "x" * 73
    passwords = Passwords(BcryptHasher(4), adapters=(CHEAP,))
    assert passwords.verify_and_rehash(CHEAP.hash(long), long) == Verification(matches=True, replacement=None)


def test_an_empty_password_is_never_right_and_never_stored() -> None:
    passwords = Passwords(CHEAP)
    assert not passwords.verify(CHEAP.hash(""), "")
    assert not passwords.verify(None, "")
    with pytest.raises(PasswordError, match=r"^empty$"):
        passwords.hash("")


def test_a_hasher_that_can_no_longer_work_overloads_everybody_alike() -> None:
    scheme = Transparent()
    passwords = Passwords(scheme)
    stored = passwords.hash("right")
    scheme.broken = True
    for subject in (stored, None, "!"):
        with pytest.raises(Overloaded, match=r"^hash_memory$"):
            passwords.verify(subject, "right")
    with pytest.raises(Overloaded, match=r"^hash_memory$"):
        passwords.hash("right")


def test_bad_settings_stop_the_start() -> None:
    broken = Transparent()
    broken.broken = True
    with pytest.raises(ConfigurationError, match="parameters"):
        Passwords(broken)
    with pytest.raises(ConfigurationError, match="does not know its own hashes"):
        Passwords(Forgetful())
    with pytest.raises(ConfigurationError, match="parameters"):
        Passwords(Argon2Hasher(Argon2Profile(1, 1, 1, "less memory than Argon2 works with")))
    with pytest.raises(ConfigurationError, match="max_length"):
        Passwords(CHEAP, max_length=255)
    with pytest.raises(ConfigurationError, match="complete Werkzeug method"):
        WerkzeugHasher("scrypt")
    with pytest.raises(ConfigurationError, match="4 to 18"):
        BcryptHasher(3)
