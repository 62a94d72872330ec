"""Topology: which server to connect to: the one, the master that the sentinels name, or the owner of a slot."""

from __future__ import annotations

from typing import Protocol

from authguard.stores.redis_connection import RedisConnection
from authguard.stores.redis_url import RedisURL

CONNECT_SECONDS = 1.0
"""How long each step of connecting may take; callers wait no longer than their own deadline."""


class Servers(Protocol):
    """What knows where to connect. Called in a thread of its own, so that it may take its time."""

    def open(self) -> RedisConnection:
        """Return a new connection; raises ``StoreTimeout`` and ``StoreUnavailable``."""
        ...


class OneServer:
    """A server at a fixed address."""

    def __init__(self, url: RedisURL) -> None:
        self._url = url

    def open(self) -> RedisConnection:
        """See :class:`Servers`."""
        url = self._url
        return RedisConnection.open(
            url.addresses[0], CONNECT_SECONDS, url.tls, username=url.username, password=url.password, db=url.db
        )


def servers_of(url: RedisURL) -> Servers:
    """Return what connects to the servers that ``url`` names."""
    return OneServer(url)
