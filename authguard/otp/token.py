"""Token: a challenge as the browser keeps it and a link as the message carries it, byte by byte."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field, replace
from struct import Struct

from authguard.errors import TokenError
from authguard.otp.binding import TAG
from authguard.otp.rules import VERSIONS

ID = 16
"""Bytes in the id of a challenge."""
ABOUT = 16
"""Bytes of the keyed hash in a link, which a text message must carry too."""
_VERSION = Struct(f">Q{TAG}s")
_CHALLENGE = Struct(f">B{ID}s{TAG}sB")
_LINK = Struct(f">B{ID}sB{ABOUT}sc")
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Version:
    """One code of a challenge: the store's time at which it was made, and what stands for it."""

    issued: int
    mac: bytes


@dataclass(frozen=True, slots=True)
class Challenge:
    """``versions`` holds one entry for each message asked for, the first at the front.

    Which of them have really gone out, the store knows; the token says nothing about it, because whoever holds it may
    not be told (law 8).
    """

    id: bytes
    binding: bytes
    versions: tuple[Version, ...] = ()

    @classmethod
    def new(cls, binding: bytes) -> Challenge:
        """Return a challenge with an id of its own."""
        return cls(secrets.token_bytes(ID), binding)

    @property
    def newest(self) -> int:
        """The number of the newest version, from 1."""
        return len(self.versions)

    def add(self, version: Version) -> Challenge:
        """Return the challenge with one more version."""
        return replace(self, versions=(*self.versions, version))

    def skip_to(self, number: int) -> Challenge:
        """Return the challenge with versions up to ``number``: those that it doesn't know have no code."""
        unknown = (Version(0, secrets.token_bytes(TAG)),) * max(0, number - self.newest)
        return replace(self, versions=(*self.versions, *unknown))

    def pack(self) -> bytes:
        """Return the bytes to seal: of one length, whatever the challenge is about."""
        rows = [_VERSION.pack(each.issued, each.mac) for each in self.versions]
        rows += [bytes(_VERSION.size)] * (VERSIONS - len(rows))
        return _CHALLENGE.pack(_FORMAT, self.id, self.binding, self.newest) + b"".join(rows)

    @classmethod
    def unpack(cls, payload: bytes) -> Challenge:
        """Return the challenge that ``payload`` holds; raises ``TokenError``."""
        if len(payload) != _CHALLENGE.size + VERSIONS * _VERSION.size:
            raise TokenError
        form, challenge, binding, newest = _CHALLENGE.unpack_from(payload)
        if form != _FORMAT or not 1 <= newest <= VERSIONS:
            raise TokenError
        places = range(_CHALLENGE.size, _CHALLENGE.size + newest * _VERSION.size, _VERSION.size)
        return cls(challenge, binding, tuple(Version(*_VERSION.unpack_from(payload, place)) for place in places))


@dataclass(frozen=True, slots=True)
class Link:
    """What stands in a message's link: the challenge's id and version, and whom it proves.

    ``reader`` is the account's id, or what was typed where there is no account (``has_account`` says which); ``about``
    a keyed hash of purpose, reader and destination.
    """

    challenge: bytes
    version: int
    about: bytes
    has_account: bool
    reader: str = field(repr=False)

    def pack(self) -> bytes:
        """Return the bytes to seal."""
        kind = b"a" if self.has_account else b"t"
        head = _LINK.pack(_FORMAT, self.challenge, self.version, self.about, kind)
        return head + self.reader.encode("utf-8", "surrogatepass")

    @classmethod
    def unpack(cls, payload: bytes) -> Link:
        """Return the link that ``payload`` holds; raises ``TokenError``."""
        if len(payload) <= _LINK.size:
            raise TokenError
        form, challenge, version, about, kind = _LINK.unpack_from(payload)
        if form != _FORMAT or not 1 <= version <= VERSIONS:
            raise TokenError
        reader = payload[_LINK.size :].decode("utf-8", "surrogatepass")
        return cls(challenge, version, about, kind == b"a", reader)
