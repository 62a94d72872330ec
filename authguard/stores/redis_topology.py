"""Topology: which server to connect to: the one, the master that the sentinels name, or the owner of a slot."""

from __future__ import annotations

import time
from typing import Any, Protocol

from redis.crc import key_slot

from authguard.errors import StoreError, StoreUnavailable
from authguard.stores.redis_connection import RedisConnection
from authguard.stores.redis_url import Address, RedisURL, Topology
from authguard.stores.redis_wire import Refusal, pack

CONNECT_SECONDS = 1.0
"""How long each step of connecting may take; callers wait no longer than their own deadline."""
SENTINEL_SECONDS = 0.3
"""How long a sentinel has for each step before the next is asked."""


class Servers(Protocol):
    """What knows where to connect. ``open`` is called in a thread of its own, so that it may take its time."""

    def open(self) -> RedisConnection:
        """Return a new connection; raises ``StoreTimeout`` and ``StoreUnavailable``."""
        ...

    def redirect(self, address: Address) -> None:
        """Learn from a node of a cluster that the slot has moved to ``address``."""
        ...

    def open_at(self, address: Address) -> RedisConnection:
        """Return a new connection to one certain node; raises as :meth:`open` does."""
        ...


class OneServer:
    """A server at a fixed address."""

    def __init__(self, url: RedisURL) -> None:
        self.url = url

    def open(self) -> RedisConnection:
        """See :class:`Servers`."""
        return self.open_at(self.url.addresses[0])

    def redirect(self, address: Address) -> None:
        """Refuse: only a cluster redirects, and this URL is none of a cluster."""
        raise StoreUnavailable("Redis runs as a cluster; use redis+cluster:// in the store URL")

    def open_at(self, address: Address) -> RedisConnection:
        """See :class:`Servers`."""
        url = self.url
        return RedisConnection.open(
            address, CONNECT_SECONDS, url.tls, username=url.username, password=url.password, db=url.db
        )


class SentinelMaster(OneServer):
    """The master of a service, asked for anew with each connection; the sentinel that answered last is asked first."""

    def __init__(self, url: RedisURL) -> None:
        super().__init__(url)
        self._sentinels = list(url.addresses)

    def open(self) -> RedisConnection:
        """See :class:`Servers`. What says of itself that it is no master is not taken for one."""
        for sentinel in tuple(self._sentinels):
            try:
                connection = self.open_at(self._ask(sentinel))
            except StoreError:
                continue
            if _ask(connection, b"ROLE", seconds=CONNECT_SECONDS)[0] == b"master":
                # Into a new list: one that is being sorted is empty to every thread that looks.
                self._sentinels = sorted(self._sentinels, key=lambda other: other != sentinel)
                return connection
            connection.close()
        raise StoreUnavailable(f"no sentinel at {self.url.place} knows a master of {self.url.service!r} that answers")

    def _ask(self, sentinel: Address) -> Address:
        url = self.url
        connection = RedisConnection.open(
            sentinel, SENTINEL_SECONDS, url.tls, username=url.sentinel_username, password=url.sentinel_password
        )
        try:
            host, port = _ask(
                connection, b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", url.service, seconds=SENTINEL_SECONDS
            )
        finally:
            connection.close()
        return host.decode(), int(port)


class SlotOwner(OneServer):
    """The node of a cluster that owns the slot of the store's hash tag."""

    def __init__(self, url: RedisURL) -> None:
        super().__init__(url)
        self._slot = key_slot(url.tag)
        self._nodes = list(url.addresses)
        self._owner: Address | None = None

    def open(self) -> RedisConnection:
        """See :class:`Servers`."""
        if self._owner is not None:
            try:
                return self._open_living(self._owner)
            except StoreError:
                self._owner = None
        return self._open_living(self._find())

    def redirect(self, address: Address) -> None:
        """See :class:`Servers`."""
        self._owner = address

    def _open_living(self, address: Address) -> RedisConnection:
        """Return a connection over which something has come back: one that hangs accepts connections too."""
        connection = self.open_at(address)
        _ask(connection, b"PING", seconds=CONNECT_SECONDS)
        return connection

    def _find(self) -> Address:
        for node in tuple(self._nodes):
            try:
                connection = self.open_at(node)
                try:
                    ranges = _ask(connection, b"CLUSTER", b"SLOTS", seconds=CONNECT_SECONDS)
                finally:
                    connection.close()
            except StoreError:
                continue
            owner = self._owner_in(ranges, node)
            if owner is not None:
                self._owner = owner
                return owner
        raise StoreUnavailable(f"no node of the cluster at {self.url.place} says who owns the store's slot")

    def _owner_in(self, ranges: list[Any], asked: Address) -> Address | None:
        """Return the owner that ``CLUSTER SLOTS`` names, and keep every node that it names for the next question."""
        owner = None
        for first, last, *nodes in ranges:
            # An empty host means the one that was asked.
            addresses = [((host or b"").decode() or asked[0], int(port)) for host, port, *_ in nodes]
            self._nodes.extend(address for address in addresses if address not in self._nodes)
            if first <= self._slot <= last:
                owner = addresses[0]
        return owner


def servers_of(url: RedisURL) -> Servers:
    """Return what connects to the servers that ``url`` names."""
    kinds = {Topology.STANDALONE: OneServer, Topology.SENTINEL: SentinelMaster, Topology.CLUSTER: SlotOwner}
    return kinds[url.topology](url)


def _ask(connection: RedisConnection, *words: bytes | str, seconds: float) -> Any:
    answer = connection.ask(pack(*words), time.monotonic() + seconds)
    if answer is None or isinstance(answer, Refusal):
        connection.close()
        raise StoreUnavailable(f"Redis refused {words[0]!r}: {answer}")
    return answer
