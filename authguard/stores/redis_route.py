"""Route: how a command reaches the server that may run it, whatever moved meanwhile."""

from __future__ import annotations

from typing import Any

from authguard.errors import StoreError, StoreFull, StoreUnavailable
from authguard.stores.redis_connection import LoginRefused, RedisConnection
from authguard.stores.redis_pool import ConnectionPool
from authguard.stores.redis_script import Script
from authguard.stores.redis_topology import Servers
from authguard.stores.redis_url import Address
from authguard.stores.redis_wire import Refusal, pack

HOPS = 3
"""How many servers are asked for one command before the cluster counts as unable to say who owns a slot."""
_WRONG_SERVER = frozenset({"READONLY", "MASTERDOWN", "LOADING", "CLUSTERDOWN", "NOAUTH"})
"""Refusals after which the next command looks for the server anew."""


class RedisRoute:
    """Sends commands to the right server and gives back what it answers.

    Only what certainly did not run is sent again: a script that was not loaded, a command that another node of the
    cluster is to run. Everything else is the caller's to decide.
    """

    def __init__(self, servers: Servers) -> None:
        self._servers = servers
        self._pool = ConnectionPool(servers.open)
        self._importers: dict[Address, ConnectionPool] = {}

    def ask(self, command: bytes, until: float, script: Script | None = None) -> Any:
        """Return the answer to ``command``, a packed one, which calls ``script`` if that is given.

        ``until`` is a reading of ``time.monotonic``. Raises ``StoreTimeout``, ``StoreUnavailable`` and ``StoreFull``.
        """
        refusal: Refusal | None = None
        for _ in range(HOPS):
            connection = self._pool.take(until)
            answer = self._converse(self._pool, connection, command, until, script)
            if type(answer) is not Refusal:
                return answer
            refusal = answer
            if refusal.code == "MOVED":
                self._servers.redirect(_target(refusal, connection.address))
                self._pool.clear()
            elif refusal.code == "ASK":
                answer = self._ask_importer(_target(refusal, connection.address), command, until, script)
                if type(answer) is not Refusal:
                    return answer
                refusal = answer
                break
            else:
                break
        if refusal is not None and refusal.code in _WRONG_SERVER:
            self._pool.clear()
        if refusal is not None and refusal.code == "OOM":
            raise StoreFull("Redis is at its maxmemory and has no room for another counter")
        if refusal is not None and refusal.code == "NOAUTH":
            raise LoginRefused("Redis wants a password; add it to the store URL")
        raise StoreUnavailable(f"Redis refused: {refusal}")

    def close(self) -> None:
        """Close every connection that is idle, and the others as they come back."""
        for pool in (self._pool, *self._importers.values()):
            pool.close()

    def _ask_importer(self, address: Address, command: bytes, until: float, script: Script | None) -> Any:
        """Ask the node that a slot is just moving to."""
        pool = self._importers.get(address)
        if pool is None:
            pool = self._importers[address] = ConnectionPool(lambda: self._servers.open_at(address))
        return self._converse(pool, pool.take(until), command, until, script, asking=True)

    def _converse(
        self,
        pool: ConnectionPool,
        connection: RedisConnection,
        command: bytes,
        until: float,
        script: Script | None,
        *,
        asking: bool = False,
    ) -> Any:
        try:
            if asking:
                connection.ask(pack(b"ASKING"), until)
            answer = connection.ask(command, until)
            loads = 0
            # Again and again: others may flush the scripts between the loading and the call.
            while type(answer) is Refusal and script is not None and answer.code == "NOSCRIPT" and loads < HOPS:
                loads += 1
                connection.ask(pack(b"SCRIPT", b"LOAD", script.source), until)
                if asking:
                    connection.ask(pack(b"ASKING"), until)
                answer = connection.ask(command, until)
        except StoreError:
            # The others lead to the same server: it is gone, or it hangs.
            pool.clear()
            raise
        pool.give(connection)
        return answer


def _target(refusal: Refusal, asked: Address) -> Address:
    """Return the address in ``MOVED slot host:port``; an empty host is the one that was asked."""
    host, _, port = str(refusal).split()[2].rpartition(":")
    return host or asked[0], int(port)
