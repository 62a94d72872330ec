"""Hashers and adapters: what they read, what they refuse, and bcrypt's 72 bytes."""

from __future__ import annotations

import bcrypt
import pytest
from werkzeug.security import generate_password_hash

from authguard.errors import PasswordError
from authguard.login import argon2_hasher
from authguard.login.adapters import BcryptHasher, WerkzeugHasher
from authguard.login.argon2_hasher import UNSAFE_FOR_TESTS, Argon2Hasher, Argon2Profile
from authguard.login.hashers import Fit
from authguard.login.passwords import Passwords

SEVENTY_TWO = "é" * 36


def test_werkzeugs_own_hashes_are_read() -> None:
    adapter = WerkzeugHasher()
    for method, fit in [("scrypt", Fit.CURRENT), ("pbkdf2:sha256:1000", Fit.OTHER_PARAMETERS), ("pbkdf2:sha512:9", 1)]:
        stored = generate_password_hash("right", method)
        assert adapter.fit(stored) is Fit(fit)
        assert adapter.verify(stored, "right")
        assert not adapter.verify(stored, "wrong")


def test_bcrypts_own_hashes_are_read_in_every_dialect() -> None:
    adapter = BcryptHasher(4)
    stored = bcrypt.hashpw(b"right", bcrypt.gensalt(4)).decode()
    fits = {"$2b$": Fit.CURRENT, "$2y$": Fit.CURRENT, "$2a$": Fit.OTHER_PARAMETERS, "$2x$": Fit.OTHER_PARAMETERS}
    for dialect, fit in fits.items():
        assert adapter.fit(dialect + stored[4:]) is fit
        assert adapter.verify(dialect + stored[4:], "right")
    assert adapter.fit(bcrypt.hashpw(b"right", bcrypt.gensalt(5)).decode()) is Fit.OTHER_PARAMETERS


def test_bcrypt_takes_72_bytes_and_never_cuts_in_silence() -> None:
    passwords = Passwords(BcryptHasher(4))
    stored = passwords.hash(SEVENTY_TWO)
    assert passwords.verify(stored, SEVENTY_TWO)
    assert not passwords.verify(stored, SEVENTY_TWO + "x")
    with pytest.raises(PasswordError, match=r"^too_long$"):
        passwords.hash(SEVENTY_TWO + "x")


def test_cut_passwords_of_old_tables_are_let_in_only_by_name() -> None:
    typed = "x" * 100
    stored = bcrypt.hashpw(typed.encode()[:72], bcrypt.gensalt(4)).decode()
    assert not BcryptHasher(4).verify(stored, typed)
    assert BcryptHasher(4, unsafe_truncate=True).verify(stored, typed)
    assert not BcryptHasher(4, unsafe_truncate=True).verify(stored, "y" * 100)


def test_other_argon2_parameters_are_told_apart() -> None:
    cheap = Argon2Hasher(UNSAFE_FOR_TESTS)
    assert cheap.fit(cheap.hash("right")) is Fit.CURRENT
    for profile in (Argon2Profile(16, 1, 1, ""), Argon2Profile(8, 2, 1, ""), Argon2Profile(16, 1, 2, "")):
        stored = Argon2Hasher(profile).hash("right")
        assert cheap.fit(stored) is Fit.OTHER_PARAMETERS
        assert cheap.verify(stored, "right")
    argon2i = cheap.hash("right").replace("argon2id", "argon2i")
    assert cheap.fit(argon2i) is Fit.OTHER_PARAMETERS


SALT = "c2FsdHNhbHRzYWx0"
FOREIGN = {
    "more memory than any recommendation": f"$argon2id$v=19$m=2097153,t=1,p=1${SALT}${'A' * 43}",
    "passes without end": f"$argon2id$v=19$m=8,t=65,p=1${SALT}${'A' * 43}",
    "lanes without end": f"$argon2id$v=19$m=800,t=1,p=65${SALT}${'A' * 43}",
    "a tag of 8 bytes": f"$argon2id$v=19$m=8,t=1,p=1${SALT}${'A' * 11}",
    "a salt of 6 bytes": f"$argon2id$v=19$m=8,t=1,p=1$c2FsdHNh${'A' * 43}",
    "numbers with signs": f"$argon2id$v=19$m=+8,t=1,p=1${SALT}${'A' * 43}",
    "a line too many": f"$argon2id$v=19$m=8,t=1,p=1${SALT}${'A' * 43}\n",
    "scrypt for a whole machine": f"scrypt:4194304:8:1$salt${'0' * 128}",
    "scrypt in many lanes": f"scrypt:32768:8:999$salt${'0' * 128}",
    "scrypt, cut": f"scrypt:32768:8:1$salt${'0' * 126}",
    "pbkdf2 of a hash nobody has": f"pbkdf2:sha257:1000$salt${'0' * 64}",
    "pbkdf2, cut to another's length": f"pbkdf2:sha512:1000$salt${'0' * 64}",
    "pbkdf2 for minutes": f"pbkdf2:sha256:10000000$salt${'0' * 64}",
    "bcrypt for an hour": "$2b$19$" + "." * 53,
    "bcrypt below its least": "$2b$03$" + "." * 53,
    "bcrypt, cut": "$2b$12$" + "." * 52,
}


@pytest.mark.parametrize("why", FOREIGN)
def test_what_no_sound_table_holds_is_not_worked_on(why: str) -> None:
    fits = [hasher.fit(FOREIGN[why]) for hasher in (Argon2Hasher(UNSAFE_FOR_TESTS), WerkzeugHasher(), BcryptHasher(4))]
    assert fits == [Fit.FOREIGN] * 3


def test_every_profile_says_what_it_is_and_why() -> None:
    profiles = {name: value for name, value in vars(argon2_hasher).items() if isinstance(value, Argon2Profile)}
    assert {name: (each.memory_kib, each.passes, each.lanes) for name, each in profiles.items()} == {
        "OWASP_MINIMUM": (19_456, 2, 1),
        "OWASP_MORE_MEMORY": (47_104, 1, 1),
        "RFC_9106_LOW_MEMORY": (65_536, 3, 4),
        "RFC_9106_HIGH_MEMORY": (2_097_152, 1, 4),
        "UNSAFE_FOR_TESTS": (8, 1, 1),
    }
    assert all(each.reason for each in profiles.values())
