"""Redis Sentinel: a master, a replica and three sentinels that watch them."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

import redis

from tests.servers.ports import free_port
from tests.servers.process import ServerProcess
from tests.servers.redis import RedisServer

SERVICE = "counters"
WATCH = """port {port}
bind 127.0.0.1
sentinel monitor {service} 127.0.0.1 {master} 2
sentinel down-after-milliseconds {service} 1000
sentinel failover-timeout {service} 3000
"""


class RedisSentinels:
    """``.url`` names the sentinels; ``.master`` is the server that is the master at first, ``.replica`` the other."""

    def __init__(self) -> None:
        self.master = RedisServer("--repl-diskless-sync-delay", "0")
        self.replica = RedisServer("--replicaof", "127.0.0.1", str(self.master.port))
        self.ports = [free_port() for _ in range(3)]
        self.sentinels: list[ServerProcess] = []
        self._folder = Path(tempfile.mkdtemp(prefix="authguard-sentinel-"))

    @property
    def url(self) -> str:
        """The URL of the service."""
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return f"redis+sentinel://{hosts}/{SERVICE}/0"

    def __enter__(self) -> Self:
        self.master.start()
        self.replica.start()
        self.replica.running.wait_for("REPLICA sync: Finished with success")
        for port in self.ports:
            config = self._folder / f"{port}.conf"
            config.write_text(WATCH.format(port=port, service=SERVICE, master=self.master.port))
            self.sentinels.append(ServerProcess(["redis-server", str(config), "--sentinel"]))
        for sentinel in self.sentinels:
            sentinel.wait_for("+slave slave")
            # Each has met the two others: only then there is a majority that may fail over.
            sentinel.wait_for("+sentinel sentinel", times=2)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for sentinel in self.sentinels:
            sentinel.stop()
        self.master.__exit__(kind, error, trace)
        self.replica.__exit__(kind, error, trace)
        shutil.rmtree(self._folder, ignore_errors=True)

    def wait_for_replication(self) -> None:
        """Return once the replica has everything that the master has."""
        with redis.Redis(port=self.master.port) as client:
            assert client.wait(1, 5_000) == 1

    def wait_for_failover(self) -> None:
        """Return once the sentinels have made the replica the master."""
        for sentinel in self.sentinels:
            sentinel.wait_for("+switch-master")
