"""Passwords of a request: hash slots go by its client and lane, and a blinded attempt never succeeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import has_request_context, request

from authguard.flask.subject import SubjectReader
from authguard.guard import Attempt
from authguard.login.passwords import Passwords, Verification
from authguard.login.slots import Lane
from authguard.policy import Scope

Tried = tuple[str, str | None, str | None]
"""What an attempt under way was begun with: policy, identifier and secret."""


class RequestPasswords:
    """:class:`~authguard.login.passwords.Passwords` bound to the request at hand, if there is one."""

    def __init__(
        self,
        passwords: Passwords,
        subjects: SubjectReader,
        active: Mapping[Tried, Attempt],
        forgotten: Callable[[], object],
    ) -> None:
        self._passwords = passwords
        self._subjects = subjects
        self._active = active
        self._forgotten = forgotten

    def hash(self, password: str) -> str:
        """Return the hash to store for a new ``password``. Raises ``PasswordError`` and ``Overloaded``."""
        return self._passwords.hash(password, client=self._client(), lane=self._lane())

    def verify(self, stored: str | bytes | None, password: str) -> bool:
        """Return whether ``password`` made ``stored``, after the same work for every ``stored``, ``None`` included.

        Raises ``PasswordError`` and ``Overloaded``, which the extension answers with 400 and 503.
        """
        stored = None if self._is_blind() else stored
        matches = self._passwords.verify(stored, password, client=self._client(), lane=self._lane())
        self._note_look(password, matches)
        return matches

    def verify_and_rehash(self, stored: str | bytes | None, password: str) -> Verification:
        """Check like :meth:`verify`; after a match of an outdated hash, also return its replacement."""
        stored = None if self._is_blind() else stored
        verified = self._passwords.verify_and_rehash(stored, password, client=self._client(), lane=self._lane())
        self._note_look(password, verified.matches)
        return verified

    def needs_rehash(self, stored: str | bytes) -> bool:
        """Return whether ``stored`` is not as new hashes are made."""
        return self._passwords.needs_rehash(stored)

    def _note_look(self, password: str, matches: bool) -> None:
        """Tell the attempts under way what was found: a miss all of them, a match the one that it belongs to."""
        if not matches:
            for attempt in self._active.values():
                attempt.note_look(False)
        elif (tried := self._tried(password)) is not None:
            tried.note_look(True)
            tried.when_forgotten(self._forgotten)

    def _tried(self, password: str) -> Attempt | None:
        """Return the innermost attempt that tries ``password``; the innermost of all where none says so."""
        trying = [attempt for (_, _, secret), attempt in self._active.items() if secret == password]
        candidates = trying or [*self._active.values()]
        return candidates[-1] if candidates else None

    def _is_blind(self) -> bool:
        return any(attempt.blind for attempt in self._active.values())

    def _lane(self) -> Lane:
        return Lane.KNOWN if any(attempt.known for attempt in self._active.values()) else Lane.STRANGERS

    def _client(self) -> str | None:
        if not has_request_context():  # a command, or a job: the application's own work
            return None
        # Requests without an address share one place: none of them is the application's own work.
        return self._subjects.addresses(request).get(Scope.IP, "no address")
