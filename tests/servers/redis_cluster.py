"""Redis Cluster: three masters, and a replica of the first."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import redis

from tests.servers.redis import RedisServer

OPTIONS = (
    *("--cluster-enabled", "yes", "--cluster-node-timeout", "1500"),
    *("--cluster-require-full-coverage", "no", "--repl-diskless-sync-delay", "0"),
)


class RedisCluster:
    """``.url`` names every node; ``.nodes`` are the masters, ``.replica`` follows the first."""

    def __init__(self) -> None:
        self.nodes = [RedisServer(*OPTIONS) for _ in range(3)]
        self.replica = RedisServer(*OPTIONS)

    @property
    def url(self) -> str:
        """The URL of the cluster."""
        return "redis+cluster://" + ",".join(f"127.0.0.1:{node.port}" for node in (*self.nodes, self.replica))

    def __enter__(self) -> Self:
        for node in (*self.nodes, self.replica):
            node.start()
        addresses = [f"127.0.0.1:{node.port}" for node in self.nodes]
        create = ["redis-cli", "--cluster", "create", *addresses, "--cluster-yes"]
        subprocess.run(create, check=True, capture_output=True)
        for node in self.nodes:
            node.running.wait_for("Cluster state changed: ok")
        join = ["redis-cli", "--cluster", "add-node", f"127.0.0.1:{self.replica.port}", addresses[0]]
        subprocess.run(
            [*join, "--cluster-slave", "--cluster-master-id", self.id_of(self.nodes[0])],
            check=True,
            capture_output=True,
        )
        self.replica.running.wait_for("REPLICA sync: Finished with success")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for node in (*self.nodes, self.replica):
            node.__exit__(kind, error, trace)

    def ask(self, node: RedisServer, *words: Any) -> Any:
        """Send a command to one node."""
        with redis.Redis(port=node.port, decode_responses=True) as client:
            return client.execute_command(*words)

    def id_of(self, node: RedisServer) -> str:
        """Return the node's name in the cluster."""
        return str(self.ask(node, "CLUSTER MYID"))

    def owner_of(self, slot: int) -> RedisServer:
        """Return the master that owns ``slot`` now, in the view of the first node that answers."""
        for node in (*self.nodes, self.replica):
            try:
                ranges = self.ask(node, "CLUSTER SLOTS")
            except redis.ConnectionError:
                continue
            return next(self._at(owner[1]) for first, last, owner, *_ in ranges if first <= slot <= last)
        raise AssertionError("no node of the cluster answers")

    @contextmanager
    def migration(self, slot: int, source: RedisServer, target: RedisServer) -> Iterator[Callable[[], None]]:
        """Move ``slot``: it is under way inside the block, its keys move on the call, it has moved behind it."""
        self.ask(target, "CLUSTER SETSLOT", slot, "IMPORTING", self.id_of(source))
        self.ask(source, "CLUSTER SETSLOT", slot, "MIGRATING", self.id_of(target))

        def move() -> None:
            with redis.Redis(port=source.port) as client:
                # The client's own reading of the answer makes text of it, which keys are not.
                client.set_response_callback("CLUSTER GETKEYSINSLOT", lambda answer: answer)
                keys = client.execute_command("CLUSTER GETKEYSINSLOT", slot, 1_000)
                moved = client.execute_command("MIGRATE", "127.0.0.1", target.port, "", 0, 5_000, "KEYS", *keys)
                assert moved == b"OK"

        yield move
        for node in (target, source):
            self.ask(node, "CLUSTER SETSLOT", slot, "NODE", self.id_of(target))

    def wait_for_replication(self, node: RedisServer) -> None:
        """Return once the node's replica has everything that the node has."""
        with redis.Redis(port=node.port) as client:
            assert client.wait(1, 5_000) == 1

    def _at(self, port: int) -> RedisServer:
        return next(node for node in (*self.nodes, self.replica) if node.port == port)
