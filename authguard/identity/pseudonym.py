"""Pseudonyms: what stands for an identity wherever it is stored or logged, worth nothing without the secret."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from authguard.errors import ConfigurationError

PSEUDONYM_LENGTH = 32
"""Characters of a pseudonym: lower-case hexadecimal, 128 bits."""

SHORTEST_SECRET = 16
"""Bytes of the shortest secret accepted; 32 random ones are what it should be."""

_DIGEST = 32
_MAKE_ONE = "make one with: python -c 'import secrets; print(secrets.token_urlsafe(32))'"


class Pseudonymizer:
    """Keyed hashes of identities under a secret, apart by application, kind and tenant.

    Pseudonyms and tags are HMAC-SHA-256 (RFC 2104). Those of a :class:`TagFamily`, of which a request needs a dozen and
    more as keys of its counters, are keyed BLAKE2b (RFC 7693) under a key that HMAC-SHA-256 makes of the secret: as
    good a keyed hash, in a sixth of the time.

    Parts are framed by their lengths, so that no two lists of parts meet in one input. Every process
    of an application needs the same secret, or each counts for itself. ``previous`` secrets are for an
    overlap after a rotation: write under the new key, read the old ones too for at least the longest
    window. Safe to share between threads.

    Raises :class:`ConfigurationError` for a secret that is missing or shorter than 16 bytes, for a
    previous one that is the current one, and for an empty ``app``.
    """

    __slots__ = ("_current", "_previous", "_tagging")

    def __init__(self, secret: bytes | str, *, app: str, previous: Sequence[bytes | str] = ()) -> None:
        if not app:
            raise ConfigurationError("give the application a name, so that two of them on one store stay apart")
        if isinstance(previous, bytes | str):
            raise ConfigurationError("previous secrets must be a list, as in ['the old secret']")
        current = _checked(secret)
        older = [_checked(old) for old in previous]
        if current in older:
            raise ConfigurationError("a previous secret is the same as the current one; remove it from the list")
        self._current = _keyed(current, app)
        self._previous = tuple(_keyed(old, app) for old in older)
        self._tagging = tuple(_tagging(keyed) for keyed in (self._current, *self._previous))

    def key(self, kind: str, *parts: str, tenant: str | None = None) -> str:
        """Return the pseudonym of ``parts``: 32 lower-case hexadecimal characters.

        ``tenant`` is one that the server resolved; one that the client names would let it choose its counter.
        """
        return _digest(self._current, _frame("k", kind, parts, tenant)).hex()[:PSEUDONYM_LENGTH]

    def previous_keys(self, kind: str, *parts: str, tenant: str | None = None) -> tuple[str, ...]:
        """Return the pseudonyms the same parts had under the previous secrets, in the order those were given."""
        if not self._previous:
            return ()
        framed = _frame("k", kind, parts, tenant)
        return tuple(_digest(keyed, framed).hex()[:PSEUDONYM_LENGTH] for keyed in self._previous)

    def tag(self, kind: str, *parts: str, size: int, tenant: str | None = None) -> bytes:
        """Return the first ``size`` bytes (1 to 32) of an HMAC that has nothing in common with the pseudonym's.

        For telling few things apart in little room, such as the clients of one counter.
        """
        return self.tags(kind, *parts, size=size, tenant=tenant)[0]

    def tags(self, kind: str, *parts: str, size: int, tenant: str | None = None) -> tuple[bytes, ...]:
        """Return the tag of ``parts`` under the current secret, then those under the previous ones."""
        if not 1 <= size <= _DIGEST:
            raise ValueError("a tag has 1 to 32 bytes")
        framed = _frame("t", kind, parts, tenant)
        return tuple(_digest(keyed, framed)[:size] for keyed in (self._current, *self._previous))

    def family(self, kind: str, *first: str, size: int) -> TagFamily:
        """Return what makes tags of parts that begin with ``first``, with less work for each than :meth:`tags`."""
        return TagFamily(self._tagging, kind, first, size)

    def __repr__(self) -> str:
        """Return a text without the secret."""
        return f"<{type(self).__name__}, {len(self._previous)} previous>"


class TagFamily:
    """Makes tags of parts of which the first are always the same: the hashes have taken these in already, once."""

    __slots__ = ("_begun", "_first", "_kind", "_older", "_size", "_tagging")

    def __init__(self, tagging: Sequence[hashlib.blake2b], kind: str, first: tuple[str, ...], size: int) -> None:
        self._tagging = tagging
        self._kind, self._first, self._size = kind, first, size
        begin = _frame("t", kind, first, None)
        self._begun, *older = begun = tuple(keyed.copy() for keyed in tagging)
        self._older = tuple(older)
        for own in begun:
            own.update(begin)

    def tag(self, parts: Sequence[str], tenant: str | None = None) -> bytes:
        """Return the tag of the first parts and ``parts`` under the current secret."""
        return self.tags(parts, tenant)[0]

    def tags(self, parts: Sequence[str], tenant: str | None = None) -> tuple[bytes, ...]:
        """Return the tag under the current secret, then those under the previous ones."""
        if tenant is None:
            return self.tags_of(b"".join(map(frame_part, parts)))
        # A frame begins with the tenant, so that nothing of it can be taken in beforehand.
        framed, size = _frame("t", self._kind, (*self._first, *parts), tenant), self._size
        return tuple(_hash(keyed, framed, size) for keyed in self._tagging)

    def tags_of(self, framed: bytes) -> tuple[bytes, ...]:
        """Return the tags of the parts that :func:`frame_part` made into ``framed``, in order, with no tenant.

        The counters of a request count few things in many ways, so each is framed once.
        """
        own = self._begun.copy()
        own.update(framed)
        tag = own.digest()[: self._size]
        return (tag, *[_hash(begun, framed, self._size) for begun in self._older]) if self._older else (tag,)


def derive_secret(app_secret: bytes | str) -> bytes:
    """Return a 32-byte pseudonym secret derived from an application's own (such as Flask's ``SECRET_KEY``).

    HKDF-SHA-256 (RFC 5869), so that neither secret gives the other away. Rotating the application's secret
    then rotates this one too. Raises :class:`ConfigurationError` for one that is missing or too short.
    """
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=32, salt=None, info=b"authguard pseudonyms 1").derive(_checked(app_secret))


def _keyed(secret: bytes, app: str) -> hmac.HMAC:
    """Return an HMAC with the key and the application's name taken in, to be copied for each pseudonym."""
    prefix = f"authguard:1:{len(app)}:{app}:".encode("utf-8", "surrogatepass")
    return hmac.new(secret, prefix, "sha256")


def _tagging(keyed: hmac.HMAC) -> hashlib.blake2b:
    """Return a BLAKE2b under a key of its own, to be copied for each tag of a family."""
    return hashlib.blake2b(key=_digest(keyed, _frame("f", "blake2b", (), None)), digest_size=_DIGEST)


def _hash(begun: hashlib.blake2b, framed: bytes, size: int) -> bytes:
    own = begun.copy()
    own.update(framed)
    return own.digest()[:size]


def _digest(keyed: hmac.HMAC, framed: bytes) -> bytes:
    own = keyed.copy()
    own.update(framed)
    return own.digest()


def _frame(purpose: str, kind: str, parts: tuple[str, ...], tenant: str | None) -> bytes:
    pieces = [purpose, "-"] if tenant is None else [purpose, "+", str(len(tenant)), tenant]
    pieces += (str(len(kind)), kind)
    for part in parts:
        pieces += (str(len(part)), part)
    return ":".join(pieces).encode("utf-8", "surrogatepass")


def frame_part(part: str) -> bytes:
    """Return what :func:`_frame` adds for one more part."""
    return f":{len(part)}:{part}".encode("utf-8", "surrogatepass")


def _checked(secret: bytes | str) -> bytes:
    if not secret:
        raise ConfigurationError(f"authguard needs a secret to hide identities; {_MAKE_ONE}")
    if not isinstance(secret, bytes | str):
        raise ConfigurationError("the secret must be text or bytes")
    raw = secret.encode("utf-8", "surrogatepass") if isinstance(secret, str) else secret
    if len(raw) < SHORTEST_SECRET:
        raise ConfigurationError(f"the secret is shorter than {SHORTEST_SECRET} bytes; {_MAKE_ONE}")
    return raw
