"""Identifiers: one field that takes an e-mail address, a phone number or a user name, and whose account it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple, Protocol

from authguard.errors import ConfigurationError, IdentityError
from authguard.identity.email import LONGEST_EMAIL, email_key
from authguard.identity.email_rules import EmailRules
from authguard.identity.phone import phone_key
from authguard.identity.username import username_key


class IdentifierKind(StrEnum):
    """What an identifier is."""

    __hash__ = str.__hash__  # each request looks the policy's kinds up, and an enum's own hash is a call into Python

    EMAIL = "email"
    PHONE = "phone"
    USERNAME = "username"


class Identifier(NamedTuple):
    """A counting key and its kind. That two kinds name one account, only a :class:`Resolver` can tell."""

    kind: IdentifierKind
    key: str

    def __repr__(self) -> str:
        """Return a text without the key."""
        return f"{type(self).__name__}(kind={self.kind!r})"


_EMAIL, _PHONE, _USERNAME = IdentifierKind.EMAIL, IdentifierKind.PHONE, IdentifierKind.USERNAME


class Resolver(Protocol):
    """The application's own account look-up, so that every name of one account shares one counter.

    Called at most once a request, with the identifier as the client typed it: the look-up must find what the
    login itself would find, and a counting key is not for looking accounts up. It returns the
    account's lasting id as text, or ``None`` where there is no such account. Whether it found one must
    not show: the request is counted either way, under the account's id or under the identifier's own key,
    and what the client is told depends on neither.
    """

    def __call__(self, identifier: str, /) -> str | None:
        """Return the id of the account that ``identifier`` names, or ``None``."""
        ...


ALL_KINDS = frozenset(IdentifierKind)


def identifier_key(
    text: str,
    kinds: Collection[IdentifierKind | str] = ALL_KINDS,
    default_region: str | None = None,
    rules: EmailRules | None = None,
) -> Identifier:
    """Return the counting key of whatever a login form's one field was given, and what it is.

    What holds an at sign (in any width) is an e-mail address, what begins with a plus sign or ``tel:`` is a
    phone number, and neither falls back to a user name when it can't be read: that would give each
    misspelling a key of its own. Anything else is a phone number where it reads as one, then a user
    name. Only ``kinds`` are considered.

    Raises :class:`IdentityError` with the codes of the kind that was tried last, and
    :class:`~authguard.errors.ConfigurationError` for an empty or unknown ``kinds``.
    """
    allowed = _kinds(tuple(kinds))
    if not isinstance(text, str):
        raise IdentityError("not_text")
    if len(text) > LONGEST_EMAIL:
        raise IdentityError("too_long")
    plain = (text if text.isascii() else unicodedata.normalize("NFKC", text)).strip()
    if _EMAIL in allowed and ("@" in plain or len(allowed) == 1):
        return Identifier(_EMAIL, email_key(text, rules))
    if _PHONE in allowed:
        must = plain.startswith("+") or plain[:4].lower() == "tel:" or _USERNAME not in allowed
        try:
            return Identifier(_PHONE, phone_key(text, default_region))
        except IdentityError:
            if must:
                raise
    if _USERNAME in allowed:
        return Identifier(_USERNAME, username_key(text))
    raise IdentityError("invalid")


@lru_cache(maxsize=64)
def _kinds(kinds: tuple[IdentifierKind | str, ...]) -> frozenset[IdentifierKind]:
    try:
        allowed = frozenset(IdentifierKind(kind) for kind in kinds)
    except ValueError:
        raise ConfigurationError(f"identifier kinds must be among {', '.join(IdentifierKind)}") from None
    if not allowed:
        raise ConfigurationError(f"an identifier needs at least one kind of {', '.join(IdentifierKind)}")
    return allowed
