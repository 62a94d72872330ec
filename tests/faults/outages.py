"""Outages: the ways in which a real store fails and comes back."""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import redis

from authguard.stores import Store, open_store
from authguard.stores.base import DEADLINE
from authguard.stores.sqlite_start import lock_path
from tests.servers.delay_proxy import DelayProxy, Road
from tests.servers.redis import RedisServer

HOLDER = """
import sys
from pathlib import Path
from time import monotonic_ns
from authguard.stores.file_lock import FileLock
lock = FileLock(Path(sys.argv[1]))
lock.acquire(monotonic_ns() + 10_000_000_000)
print("inside", flush=True)
sys.stdin.read()
"""


@dataclass(frozen=True, slots=True)
class Outage:
    """``begin`` breaks the store at ``url``, ``end`` mends it. ``lost`` is how many times it forgets what it held."""

    url: str
    begin: Callable[[], None]
    end: Callable[[], None]
    lost: int = 0

    def open(self, calls: int = 1) -> Store:
        """Open the store, with the deadline that it has in production where a decision takes so many calls."""
        return open_store(self.url, deadline=DEADLINE // calls)


@contextmanager
def stopped() -> Iterator[Outage]:
    """The server hangs: its sockets are open and nobody answers."""
    with RedisServer() as server:
        yield Outage(server.url, server.freeze, server.thaw)


@contextmanager
def killed() -> Iterator[Outage]:
    """The server dies, its port refuses connections, and one that knows nothing takes its place."""
    with RedisServer() as server:
        yield Outage(server.url, server.kill, server.start, lost=1)


@contextmanager
def demoted() -> Iterator[Outage]:
    """The server becomes a replica that refuses to write, and a master again."""
    with RedisServer() as server, RedisServer("--repl-diskless-sync-delay", "0") as other:

        def follow(host: str, port: str) -> None:
            with redis.Redis(port=server.port) as client:
                client.replicaof(host, port)

        def demote() -> None:
            follow("127.0.0.1", str(other.port))
            server.running.wait_for("REPLICA sync: Finished with success")

        # A replica takes over what its master holds: nothing, in this case.
        yield Outage(server.url, demote, lambda: follow("NO", "ONE"), lost=1)


@contextmanager
def behind(road: Road) -> Iterator[Outage]:
    """The server is well, but the road to it is not."""
    with RedisServer() as server, DelayProxy(server.port) as proxy:
        url = f"redis://127.0.0.1:{proxy.port}/0"
        yield Outage(url, lambda: proxy.change(road), lambda: proxy.change(Road.GOOD))


@contextmanager
def unresolved(hangs: bool) -> Iterator[Outage]:
    """The server's name can't be looked up: the resolver says so, or says nothing at all."""
    known, answer = Event(), Event()
    look_up = socket.getaddrinfo

    def resolve(host: Any, *more: Any, **options: Any) -> Any:
        if host != "redis.test":
            return look_up(host, *more, **options)
        if not known.is_set():
            if hangs:
                answer.wait(30)
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up("127.0.0.1", *more, **options)

    def mend() -> None:
        known.set()
        answer.set()

    with RedisServer() as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", resolve)
        yield Outage(f"redis://redis.test:{server.port}/0", known.clear, mend)
        answer.set()


@contextmanager
def locked() -> Iterator[Outage]:
    """Another process holds the file of the SQLite store and does not let go."""
    holders: list[subprocess.Popen[str]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "store.db")

        def hold() -> None:
            pipe = subprocess.PIPE
            holder = subprocess.Popen(
                [sys.executable, "-c", HOLDER, str(lock_path(path))], stdin=pipe, stdout=pipe, text=True
            )
            holders.append(holder)
            assert holder.stdout is not None
            assert holder.stdout.readline() == "inside\n"

        def release() -> None:
            with holders.pop() as holder:
                holder.kill()

        yield Outage(f"sqlite:///{path}", hold, release)
        while holders:
            release()
