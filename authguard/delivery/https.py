"""HTTPS: one POST to a provider's API, with what its outcome means for the money."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPSConnection
from socket import IPPROTO_TCP, TCP_NODELAY, socket
from typing import cast
from urllib.parse import urlsplit

from authguard.delivery.deadline import Deadline, check_timeout
from authguard.delivery.deliver import NotDelivered
from authguard.delivery.wire import Wire, check_context, connect
from authguard.errors import ConfigurationError

TIMEOUT = 10.0
"""Seconds that connecting, sending and the answer may take together."""

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_UNKNOWN = frozenset({408, 409})
"""Client errors that may follow a message which was taken: a time-out, and a key that was seen before."""


class Uncertain(Exception):
    """The provider answered with an error that leaves open whether the message goes out."""


class Endpoint:
    """One URL that takes POST requests.

    Raises ``ConfigurationError`` for anything but HTTPS (or HTTP on loopback), for a URL that carries credentials, for
    a context that trusts any server, and for a timeout that is not within 0 to 60 seconds.
    """

    def __init__(self, url: str, timeout: float = TIMEOUT, context: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(url)
        if not parts.hostname or (parts.scheme, parts.hostname in _LOOPBACK) not in {
            ("https", True),
            ("https", False),
            ("http", True),
        }:
            raise ConfigurationError("a provider's URL must begin with https://; messages are secret on their way too")
        if parts.username is not None:
            raise ConfigurationError("a provider's URL must not hold credentials; give them apart")
        self._host, self._port = parts.hostname, parts.port
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._timeout = check_timeout(timeout)
        self._context = check_context(context) if parts.scheme == "https" else None

    def post(self, body: bytes, headers: Mapping[str, str]) -> None:
        """Return when the answer is 2xx.

        Raises :class:`NotDelivered` when nobody was reached or the request was refused as wrong (4xx); redirects are
        not followed. Raises :class:`Uncertain` for any other answer, ``OSError`` and ``HTTPException`` for none.
        """
        deadline, connection = Deadline(self._timeout), self._connection()
        with closing(connection):
            try:
                self._connect(connection, deadline)
            except OSError:
                raise NotDelivered("unreachable") from None
            connection.request("POST", self._target, body, {"User-Agent": "authguard", **headers})
            status = connection.getresponse().status
        if 300 <= status < 500 and status not in _UNKNOWN:
            raise NotDelivered(f"status_{status}")
        if not 200 <= status < 300:
            raise Uncertain(f"status_{status}")

    def _connection(self) -> HTTPConnection:
        if self._context is None:
            return HTTPConnection(self._host, self._port)
        return HTTPSConnection(self._host, self._port, context=self._context)

    def _connect(self, connection: HTTPConnection, deadline: Deadline) -> None:
        # The other half is for the answer: a message whose answer is not waited for may be out, and is paid.
        plain = connect(connection.host, connection.port, self._timeout / 2)
        wire = Wire(plain, deadline, self._timeout)
        connection.sock = cast(socket, wire)  # at once, so that whatever fails from here on closes it
        plain.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        if self._context is not None:
            connection.sock = cast(socket, wire.secure(self._context, self._host))
