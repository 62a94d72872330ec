"""Passwords: hashing and checking them at the same cost whether or not there is an account."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from authguard.errors import ConfigurationError, Overloaded, PasswordError
from authguard.login.argon2_hasher import Argon2Hasher
from authguard.login.hashers import Fit, Hasher, HasherFailed
from authguard.login.slots import Lane, Slots, count_hash_slots
from authguard.login.text import accept_password

if TYPE_CHECKING:  # it loads an HTTP client, which most applications never use
    from authguard.login.breached import BreachCheck

LEAST_MAX_LENGTH = 256
"""Bytes: NIST SP 800-63B-4 section 3.1.1.2 wants 64 characters permitted, and a character may take four bytes."""
_log = logging.getLogger("authguard.login")


class Work(StrEnum):
    """Which schemes a check runs when the table holds hashes of several."""

    EVERY_SCHEME = "every_scheme"
    """One hash of each scheme on every check: an account's age doesn't show."""

    UNSAFE_STORED_SCHEME = "unsafe_stored_scheme"
    """The stored hash's scheme only: accounts not yet moved to the new one stand out by their time."""


class Outcome(StrEnum):
    """What a check found: reported exactly once for each."""

    MATCH = "match"
    MISMATCH = "mismatch"
    NO_HASH = "no_hash"
    """There was no account, or one without a password."""
    UNUSABLE_HASH = "unusable_hash"
    """A stored value that nothing here can check: malformed, cut, of a foreign scheme, or a marker such as ``!``."""


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a check: whether the password is right, and the hash to store instead of an outdated one."""

    matches: bool
    replacement: str | None


class Passwords:
    """Hashes and checks passwords for one table of accounts."""

    def __init__(
        self,
        hasher: Hasher | None = None,
        *,
        adapters: Sequence[Hasher] = (),
        max_length: int = 1024,
        slots: Slots | None = None,
        work: Work = Work.EVERY_SCHEME,
        breached: BreachCheck | None = None,
        report: Callable[[Outcome], None] = lambda outcome: None,
    ) -> None:
        """Take the ``hasher`` of new hashes (Argon2id by default) and ``adapters`` for what else the table holds.

        ``max_length`` is in bytes of UTF-8. Runs each hasher once, for a dummy that stands in for a missing hash: its
        password is random and thrown away. Raises ``ConfigurationError`` for a hasher that can't work.
        """
        if max_length < LEAST_MAX_LENGTH:
            raise ConfigurationError(
                f"max_length must be at least {LEAST_MAX_LENGTH} bytes, so that 64 characters of any script fit."
            )
        self._hashers: tuple[Hasher, ...] = (hasher or Argon2Hasher(), *adapters)
        self._dummies = tuple(_make_dummy(each) for each in self._hashers)
        self._max_length = max_length
        self._slots = slots or Slots(count_hash_slots(max(each.memory for each in self._hashers)))
        self._work = work
        self._breached = breached
        self._report = report

    def refuse_malformed(self, password: object) -> None:
        """Raise the ``PasswordError`` that :meth:`verify` would raise; call it before the account is looked up."""
        accept_password(password, self._max_length)

    def hash(self, password: str, *, client: str | None = None, lane: Lane = Lane.STRANGERS) -> str:
        """Return the hash to store for a new ``password``.

        ``client`` is the counting key of the client's address (see :meth:`authguard.login.slots.Slots.hold`).
        Raises ``PasswordError`` (also ``"empty"`` and ``"breached"``) and ``Overloaded``.
        """
        text = self._hashers[0].normalization.apply(accept_password(password, self._max_length))
        if not text:
            raise PasswordError("empty")
        if self._breached is not None:
            self._breached.refuse_breached(text, client=client, lane=lane)
        with self._slots.hold(client, lane):
            return self._hash(text)

    def verify(
        self, stored: str | bytes | None, password: str, *, client: str | None = None, lane: Lane = Lane.STRANGERS
    ) -> bool:
        """Return whether ``password`` made ``stored``, after the same work for every ``stored``, ``None`` included.

        ``stored`` is ``None`` where there is no account. Raises ``PasswordError`` and ``Overloaded``, both without
        regard to ``stored``.
        """
        text = accept_password(password, self._max_length)
        with self._slots.hold(client, lane):
            outcome = self._compare(stored, text)
        self._tell(outcome)
        return outcome is Outcome.MATCH

    def verify_and_rehash(
        self, stored: str | bytes | None, password: str, *, client: str | None = None, lane: Lane = Lane.STRANGERS
    ) -> Verification:
        """Check like :meth:`verify`; after a match of an outdated hash, also return its ``replacement``.

        That second hash shows in the time, but only to who knows the password. Store the replacement only where the
        old hash still stands (``… WHERE id = ? AND password_hash = ?``), lest it undo a change made meanwhile. A
        replacement that can't be made now is left for the next login.
        """
        text = accept_password(password, self._max_length)
        replacement = None
        with self._slots.hold(client, lane):
            outcome = self._compare(stored, text)
            if outcome is Outcome.MATCH and self.needs_rehash(stored or ""):
                with suppress(Overloaded, PasswordError):
                    replacement = self._hash(self._hashers[0].normalization.apply(text))
        self._tell(outcome)
        return Verification(outcome is Outcome.MATCH, replacement)

    def needs_rehash(self, stored: str | bytes) -> bool:
        """Return whether ``stored`` is not as new hashes are made: another scheme, other parameters, or unusable."""
        return self._hashers[0].fit(_decode(stored)) is not Fit.CURRENT

    def _tell(self, outcome: Outcome) -> None:
        try:
            self._report(outcome)
        except Exception:  # noqa: BLE001 - whatever it raises, the answer must not depend on the outcome
            _log.exception("the observer of password checks failed")

    def _compare(self, stored: str | bytes | None, password: str) -> Outcome:
        subject = _decode(self._dummies[0] if stored is None else stored)
        chosen = self._choose(subject)
        answer: bool | None = None
        for index in range(len(self._hashers)) if self._work is Work.EVERY_SCHEME else (chosen or 0,):
            result = self._run(index, subject if index == chosen else self._dummies[index], password)
            answer = result if index == chosen else answer
        if stored is None:
            return Outcome.NO_HASH
        if answer is None:
            return Outcome.UNUSABLE_HASH
        return Outcome.MATCH if answer and password else Outcome.MISMATCH

    def _choose(self, stored: str) -> int | None:
        """Return which hasher suits ``stored`` best, having asked all of them."""
        fits = [hasher.fit(stored) for hasher in self._hashers]
        best = max(fits)
        return None if best is Fit.FOREIGN else fits.index(best)

    def _run(self, index: int, subject: str, password: str) -> bool | None:
        """Return the answer for ``subject``, or ``None`` after the dummy's work where it has none."""
        hasher = self._hashers[index]
        text = hasher.normalization.apply(password)
        try:
            return hasher.verify(subject, text)
        except HasherFailed:
            try:
                hasher.verify(self._dummies[index], text)
            except HasherFailed as error:
                raise Overloaded("hash_memory") from error
            return None

    def _hash(self, text: str) -> str:
        try:
            return self._hashers[0].hash(text)
        except HasherFailed as error:
            raise Overloaded("hash_memory") from error


def _make_dummy(hasher: Hasher) -> str:
    """Return a hash whose password nobody knows, made as the hasher makes all of them."""
    try:
        dummy = hasher.hash(secrets.token_urlsafe(32))
    except HasherFailed as error:
        raise ConfigurationError(f"{type(hasher).__name__} can't hash with its parameters; choose others.") from error
    if hasher.fit(dummy) is not Fit.CURRENT:
        raise ConfigurationError(f"{type(hasher).__name__} does not know its own hashes; choose other parameters.")
    return dummy


def _decode(stored: object) -> str:
    """Return a stored hash as text; a value that can't be one becomes the empty text, which fits nothing."""
    if isinstance(stored, bytes | bytearray | memoryview):  # what drivers give for a binary column
        return bytes(stored).decode("ascii", "replace")
    return stored if isinstance(stored, str) else ""
