"""Wire: a connection whose every step ends by one deadline, however little the other side says at a time."""

from __future__ import annotations

import socket
import ssl
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING

from authguard.delivery.deadline import Deadline
from authguard.errors import ConfigurationError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MOST = 1 << 20
"""Bytes that the other side may say: no answer to a message needs them."""


class Wire:
    """A connected socket as the standard library's clients use one; each wait takes ``wait`` seconds at most.

    A time-out of the socket alone is one for each wait, which whoever says a byte at a time never meets.
    """

    def __init__(self, connection: socket.socket, deadline: Deadline, wait: float) -> None:
        self._connection, self._deadline, self._wait = connection, deadline, wait
        self._heard = 0

    def secure(self, context: ssl.SSLContext, host: str) -> Wire:
        """Return the wire within TLS; the other side must prove to be ``host`` as ``context`` asks."""
        self._connection.settimeout(self._deadline.left(self._wait))
        return Wire(context.wrap_socket(self._connection, server_hostname=host), self._deadline, self._wait)

    def sendall(self, words: bytes) -> None:
        """Say ``words``; raises ``OSError`` as sockets do, ``TimeoutError`` at the deadline."""
        left = memoryview(words)
        while left:  # a socket's own sendall, within TLS, waits anew for each record
            self._connection.settimeout(self._deadline.left(self._wait))
            left = left[self._connection.send(left) :]

    def hear(self, buffer: WriteableBuffer) -> int:
        """Read into ``buffer`` and return how many bytes; raises ``OSError``, also for more than :data:`MOST`."""
        self._connection.settimeout(self._deadline.left(self._wait))
        heard = self._connection.recv_into(buffer)
        self._heard += heard
        if self._heard > MOST:
            raise OSError("the other side says too much")
        return heard

    def makefile(self, mode: str) -> BufferedReader:
        """Return what the other side says as a file to read; closing it leaves the wire open."""
        return BufferedReader(_Ear(self))

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


class _Ear(RawIOBase):
    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        return self._wire.hear(buffer)


def check_context(context: ssl.SSLContext | None) -> ssl.SSLContext:
    """Return ``context``, or one that trusts what the system does: TLS 1.2 or newer, with the host's own certificate.

    Raises ``ConfigurationError`` for one that asks for no certificate, or for anybody's: credentials and codes would go
    to whoever stands in between.
    """
    if context is None:
        return ssl.create_default_context()
    if context.verify_mode is not ssl.CERT_REQUIRED or not context.check_hostname:
        raise ConfigurationError(
            "the TLS context trusts any server; tell it whom to trust, by ssl.create_default_context(cafile=...)"
        )
    return context


def connect(host: str, port: int, seconds: float) -> socket.socket:
    """Connect to the first address of ``host`` that answers; raises ``OSError`` where none does in ``seconds``.

    What is left of them is shared evenly by the addresses that are left, so that one which doesn't answer leaves time
    for the others. Looking the addresses up can't be cut short: it takes as long as the system's resolver lets it.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError:
        raise OSError("no host has that name") from None
    deadline, error = Deadline(seconds), OSError("the host has no address")
    for number, (family, kind, protocol, _, address) in enumerate(found):
        connection = None
        try:
            connection = socket.socket(family, kind, protocol)
            connection.settimeout(deadline.left() / (len(found) - number))
            connection.connect(address)
        except OSError as reason:
            error = reason
            if connection is not None:
                connection.close()
        else:
            return connection
    raise error
