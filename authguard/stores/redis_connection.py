"""Connection: one socket to one Redis server, used by one caller at a time and within a deadline."""

from __future__ import annotations

import os
import select
import ssl
from collections.abc import Mapping
from time import monotonic
from typing import Any

import redis.connection
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError, RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError
from redis.retry import Retry

from authguard.errors import StoreError, StoreTimeout, StoreUnavailable
from authguard.stores.redis_url import Address
from authguard.stores.redis_wire import Refusal, open_reader

READ_SIZE = 65_536
SLACK = 0.001
"""Seconds by which a socket's time-out may be shorter than what is left: to set it anew is a call of the system."""


class LoginRefused(StoreUnavailable):
    """The server answered and lets nobody in like this: no outage, but a setting that is wrong."""


class RedisConnection:
    """A socket that is logged in, and the reader of what comes back on it.

    Whatever goes wrong closes it: a late answer can never be taken for the answer to another call.
    """

    __slots__ = ("_connection", "_plain", "_reader", "_socket", "_timeout", "address", "used")

    def __init__(self, connection: Any, address: Address) -> None:
        self.address = address
        self.used = monotonic()
        self._connection = connection
        self._socket = connection._get_socket()
        self._plain = not isinstance(self._socket, ssl.SSLSocket)
        self._reader = open_reader()
        self._timeout = -1.0

    @classmethod
    def open(
        cls, address: Address, seconds: float, tls: Mapping[str, Any] | None = None, **login: Any
    ) -> RedisConnection:
        """Connect and log in; each step of it may take ``seconds``.

        ``login`` is redis-py's ``username``, ``password`` and ``db``. Raises ``StoreTimeout`` or ``StoreUnavailable``,
        whose messages name the address and nothing secret.
        """
        # No retries (redis-py's clients make ten), no CLIENT SETINFO, no HELLO: one round trip for each thing needed.
        login |= {"socket_timeout": seconds, "socket_connect_timeout": seconds, "retry": Retry(NoBackoff(), 0)}
        login |= {"driver_info": None, "protocol": 2}
        host, port = address
        kinds: Any = redis.connection
        if not port:
            connection = kinds.UnixDomainSocketConnection(path=host, **login)
        elif tls is None:
            connection = kinds.Connection(host=host, port=port, **login)
        else:
            connection = kinds.SSLConnection(host=host, port=port, **tls, **login)
        try:
            connection.connect()
        except (RedisError, OSError) as error:
            raise _fault(error, f"{host}:{port}" if port else host) from None
        return cls(connection, address)

    def ask(self, command: bytes, until: float) -> Any:
        """Send a packed command and return the answer, as bytes, integers, lists or a :class:`Refusal`.

        ``until`` is a reading of ``time.monotonic``. Raises ``StoreTimeout`` and ``StoreUnavailable``, and has closed
        itself then.
        """
        try:
            return self._ask(command, until) if self._reader is not None else self._ask_slowly(command, until)
        except (RedisError, OSError) as error:
            self.close()
            host, port = self.address
            raise _fault(error, f"{host}:{port}" if port else host) from None
        except BaseException:
            self.close()
            raise

    def broken(self) -> bool:
        """Return whether an idle connection has ended, or has something to say that nobody asked for."""
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        """Close the socket; the server is told nothing more."""
        self._connection.disconnect()

    def _ask(self, command: bytes, until: float) -> Any:
        reader, sock = self._reader, self._socket
        self._limit(until)
        # `sendall` waits for room first, which is a call of the system; a socket that nobody waits on has room.
        sent = os.write(sock.fileno(), command) if self._plain else 0
        if sent < len(command):
            sock.sendall(command[sent:])
        while True:
            data = sock.recv(READ_SIZE)
            if not data:
                raise ConnectionError("the server closed the connection")
            reader.feed(data)
            answer = reader.gets()
            if answer is not False:
                self.used = monotonic()
                return answer
            self._limit(until)

    def _limit(self, until: float) -> None:
        """Let the socket wait no longer than ``until``."""
        left = until - monotonic()
        if 0 <= left - self._timeout < SLACK and self._timeout > 0:
            return
        if left <= 0:
            raise TimeoutError
        self._timeout = max(left - SLACK / 2, left / 2)
        self._socket.settimeout(self._timeout)

    def _ask_slowly(self, command: bytes, until: float) -> Any:
        self._socket.settimeout(_left(until))
        self._connection.send_packed_command([command], check_health=False)
        try:
            answer = self._connection.read_response(disable_decoding=True, timeout=_left(until))
        except ResponseError as error:
            answer = Refusal(f"{error.status_code} {error}" if error.status_code else str(error))
        self.used = monotonic()
        return answer


def _left(until: float) -> float:
    left = until - monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _fault(error: Exception, where: str) -> StoreError:
    """Return what went wrong on the way as one of the store's own errors."""
    if isinstance(error, TimeoutError | RedisTimeoutError):
        return StoreTimeout(f"Redis at {where} did not answer within the deadline")
    if isinstance(error, AuthenticationError):
        return LoginRefused(f"Redis at {where} refused the user name or the password")
    if isinstance(error, ResponseError):
        return LoginRefused(f"Redis at {where} refused the login: {error}")
    return StoreUnavailable(f"Redis at {where} can't be reached: {error}")
