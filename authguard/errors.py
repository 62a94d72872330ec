"""Errors: everything authguard raises on purpose, in one tree."""

from __future__ import annotations


class AuthGuardError(Exception):
    """Base of every error authguard raises on purpose."""


class ConfigurationError(AuthGuardError):
    """The application is set up wrongly; the message is one sentence that says what to change.

    Raised at start, never while a request is served.
    """


class IdentityError(AuthGuardError, ValueError):
    """An identifier or an address that can't be turned into a counting key.

    ``code`` is short, stable and machine-readable (``"empty"``, ``"too_long"``, …). The message never
    repeats the input: it may be personal, and it may be hostile.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class TokenError(AuthGuardError, ValueError):
    """A token that was not made here, for this purpose, or not spelled so; it doesn't say which of them."""


class StoreError(AuthGuardError):
    """The store could not answer; the policy's fail mode decides what happens next."""


class StoreTimeout(StoreError):
    """The store did not answer within its deadline; the call may have landed all the same."""


class StoreUnavailable(StoreError):
    """The store refused, was unreachable, or is known to be down."""


class StoreFull(StoreError):
    """A store with a bound on its memory holds only living counters and has no room for another."""


class PasswordError(AuthGuardError, ValueError):
    """A password that can't be hashed or checked, refused before any work and whether or not the account exists.

    ``code`` is one of ``"not_text"``, ``"too_long"``, ``"nul"``, ``"surrogate"`` (all answered 400, at login too),
    and for new passwords ``"empty"`` and ``"breached"``. The message never repeats the input.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Overloaded(AuthGuardError):
    """Something bounded is full or did not answer in time; answered 503 to everyone alike, never 429.

    ``code`` names what was short (``"hash_slots"``, ``"hash_memory"``, ``"breach_list"``, ``"messages"``,
    ``"channel"``); ``retry_after`` is in whole seconds, at least 1.
    """

    def __init__(self, code: str, *, retry_after: int = 1) -> None:
        super().__init__(code)
        self.code = code
        self.retry_after = retry_after


class BlindAttempt(AuthGuardError):
    """A blind attempt was said to be right, by a verifier that did not ask ``attempt.blind``; nothing may succeed.

    Must be answered like a wrong secret; the Flask extension answers 401.
    """
