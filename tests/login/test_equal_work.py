"""A check does the same work whether the account exists, has another kind of hash, or has none that can be used."""

from __future__ import annotations

import pytest

from authguard.login.adapters import BcryptHasher, WerkzeugHasher
from authguard.login.argon2_hasher import UNSAFE_FOR_TESTS, Argon2Hasher, Argon2Profile
from authguard.login.hashers import Hasher
from authguard.login.passwords import Outcome, Passwords, Work
from tests.login.work import count_work

WANTED = "correct horse battery staple"
SCRYPT = "scrypt:1024:8:1"
OLDER = Argon2Hasher(Argon2Profile(16, 2, 1, "what the table was made with before"))
HASHERS: dict[str, Hasher] = {
    "argon2": Argon2Hasher(UNSAFE_FOR_TESTS),
    "werkzeug-scrypt": WerkzeugHasher(SCRYPT),
    "werkzeug-pbkdf2": WerkzeugHasher("pbkdf2:sha256:10"),
    "bcrypt": BcryptHasher(4),
}
# All of them look like something; none can be checked. The second half passes the eye and fails in the library.
BROKEN = {
    "empty": "",
    "marker": "!",
    "marker with tail": "!8fGd2kLq",
    "plain text": WANTED,
    "foreign scheme": "pbkdf2_sha256$260000$abcdefgh$" + "A" * 44,
    "not ascii": "$argon2id$v=19$m=8,t=1,p=1$é$ü",
    "bytes": b"\xff\xfe\x00",
    "number": 12345,
    "argon2, cut": HASHERS["argon2"].hash(WANTED)[:40],
    "argon2, greedy": "$argon2id$v=19$m=999999999,t=1,p=1$c2FsdHNhbHRzYWx0$" + "A" * 43,
    "argon2, short tag": "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0$AAAA",
    "scrypt, cut": HASHERS["werkzeug-scrypt"].hash(WANTED)[:-2],
    "scrypt, greedy": "scrypt:99999999:999:999$salt$" + "0" * 128,
    "bcrypt, cut": HASHERS["bcrypt"].hash(WANTED)[:-1],
    "bcrypt, for ages": "$2b$31$" + "." * 53,
    "argon2, no base64": "$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHRzYWx0c$" + "A" * 43,
    "argon2, too little memory": "$argon2id$v=19$m=1,t=1,p=1$c2FsdHNhbHRzYWx0$" + "A" * 43,
    "scrypt, not a power of two": "scrypt:1023:8:1$salt$" + "0" * 128,
    "pbkdf2, no rounds": "pbkdf2:sha256:0$salt$" + "0" * 64,
    "bcrypt, salt out of range": "$2b$04$" + "9" * 53,
}


def outcomes_of(passwords: Passwords, stored: object, password: str) -> bool:
    return passwords.verify(stored, password)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", HASHERS)
def test_unknown_and_wrong_run_the_same_functions_on_the_same_parameters(name: str) -> None:
    passwords = Passwords(HASHERS[name])
    stored = passwords.hash(WANTED)
    wrong = count_work(lambda: passwords.verify(stored, "something else"))
    unknown = count_work(lambda: passwords.verify(None, "something else"))
    assert wrong.hashes == unknown.hashes
    assert len(wrong.hashes) == 1
    assert wrong.calls == unknown.calls


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("name", HASHERS)
def test_broken_hashes_cost_a_whole_hash_and_never_match(name: str, broken: str) -> None:
    told: list[Outcome] = []
    passwords = Passwords(HASHERS[name], report=told.append)
    unknown = count_work(lambda: passwords.verify(None, WANTED))
    work = count_work(lambda: outcomes_of(passwords, BROKEN[broken], WANTED))
    assert unknown.hashes[-1:] == work.hashes[-1:]
    # What only the library can tell broken was handed to it, failed before any work, and was then made up for.
    assert len(work.hashes) in (1, 2)
    assert not outcomes_of(passwords, BROKEN[broken], WANTED)
    assert told == [Outcome.NO_HASH, Outcome.UNUSABLE_HASH, Outcome.UNUSABLE_HASH]


def test_a_hash_that_fails_inside_the_library_is_made_up_for() -> None:
    for name, broken in {
        "argon2": "argon2, too little memory",
        "werkzeug-scrypt": "scrypt, not a power of two",
        "bcrypt": "bcrypt, salt out of range",
    }.items():
        passwords = Passwords(HASHERS[name])
        work = count_work(lambda passwords=passwords, broken=broken: outcomes_of(passwords, BROKEN[broken], WANTED))  # type: ignore[misc]
        assert len(work.hashes) == 2
        assert work.hashes[1:] == count_work(lambda passwords=passwords: passwords.verify(None, WANTED)).hashes  # type: ignore[misc]


def test_a_mixed_table_runs_every_scheme_for_everybody() -> None:
    adapters = (OLDER, HASHERS["werkzeug-scrypt"], HASHERS["bcrypt"])
    passwords = Passwords(HASHERS["argon2"], adapters=adapters)
    everything = ["$argon2id$v=19$m=8,t=1,p=1", "$argon2id$v=19$m=16,t=2,p=1", SCRYPT, "$2b$04$"]
    stored = [hasher.hash(WANTED) for hasher in (HASHERS["argon2"], *adapters)]
    assert [passwords.verify(each, WANTED) for each in stored] == [True] * 4
    assert [passwords.verify(each, "wrong") for each in stored] == [False] * 4
    for each in (*stored, None, "!", ""):
        work = count_work(lambda each=each: passwords.verify(each, "wrong"))  # type: ignore[misc]
        assert work.hashes == everything


def test_only_the_stored_scheme_runs_when_that_is_asked_for() -> None:
    werkzeug = HASHERS["werkzeug-scrypt"]
    passwords = Passwords(HASHERS["argon2"], adapters=(werkzeug,), work=Work.UNSAFE_STORED_SCHEME)
    old = werkzeug.hash(WANTED)
    assert count_work(lambda: passwords.verify(old, WANTED)).hashes == [SCRYPT]
    assert count_work(lambda: passwords.verify(None, WANTED)).hashes == ["$argon2id$v=19$m=8,t=1,p=1"]
    assert count_work(lambda: passwords.verify("!", WANTED)).hashes == ["$argon2id$v=19$m=8,t=1,p=1"]
    assert passwords.verify(old, WANTED)


def test_only_who_knows_the_password_can_cause_a_rehash() -> None:
    passwords = Passwords(HASHERS["argon2"], adapters=(OLDER,))
    old = OLDER.hash(WANTED)
    wrong = count_work(lambda: passwords.verify_and_rehash(old, "wrong"))
    unknown = count_work(lambda: passwords.verify_and_rehash(None, "wrong"))
    assert wrong.calls == unknown.calls
    assert wrong.hashes == unknown.hashes
    assert "Argon2Hasher.hash" not in wrong.calls
    assert "Argon2Hasher.hash" in count_work(lambda: passwords.verify_and_rehash(old, WANTED)).calls
