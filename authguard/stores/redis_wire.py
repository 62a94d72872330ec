"""Wire: commands as bytes and bytes as answers; by hiredis where it is installed, else by redis-py itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from redis.connection import PythonRespSerializer
from redis.exceptions import InvalidResponse

try:
    import hiredis
except ImportError:
    _hiredis: Any = None
else:
    _hiredis = hiredis


class Refusal(Exception):
    """An error that the server answered with; ``code`` is its first word, such as ``NOSCRIPT``."""

    @property
    def code(self) -> str:
        """The word by which Redis names the error."""
        return str(self).partition(" ")[0]


def _pack_slowly(words: tuple[bytes | str | int, ...]) -> bytes:
    packer: Any = PythonRespSerializer(0, lambda word: word if isinstance(word, bytes) else str(word).encode())
    return b"".join(packer.pack(*words))


pack_words: Callable[[tuple[bytes | str | int, ...]], bytes] = _hiredis.pack_command if _hiredis else _pack_slowly
"""Return a command, given as the tuple of its words, as the bytes that go over the wire."""


def open_reader() -> Any:
    """Return what makes answers out of bytes, errors as :class:`Refusal`; ``None`` without hiredis."""
    return _hiredis.Reader(replyError=Refusal, protocolError=InvalidResponse) if _hiredis else None


def pack(*words: bytes | str | int) -> bytes:
    """Return a command as the bytes that go over the wire."""
    return pack_words(words)


class CallPacker:
    """Packs calls of scripts whose keys stand behind one hash tag: most of such a command is always the same."""

    def __init__(self, tag: bytes, size: int) -> None:
        self._tag = b"\r\n$%d\r\n%b" % (len(tag) + size, tag)

    def pack(self, sha: bytes, keys: list[bytes], argument: bytes) -> bytes:
        """Return ``EVALSHA`` with ``keys``, each ``size`` bytes, and one argument."""
        keys.insert(0, _call(sha, len(keys)))
        return b"%b\r\n$%d\r\n%b\r\n" % (self._tag.join(keys), len(argument), argument)


@cache
def _call(sha: bytes, keys: int) -> bytes:
    return pack(b"EVALSHA", sha, keys).replace(b"*3", b"*%d" % (4 + keys), 1)[:-2]
