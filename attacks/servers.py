"""Servers: a Redis of the attacks' own on loopback, which they can freeze, kill, start anew and ask."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

PROGRAM = "redis-server"
START = 15.0
"""Seconds that the server may take to answer."""
STOP = 5.0
"""Seconds that it may take to stop."""
_READ = {
    b"string": ("GET",),
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", "0", "-1"),
    b"set": ("SMEMBERS",),
    b"zset": ("ZRANGE", "0", "-1", "WITHSCORES"),
}
"""How each kind of value is read whole."""
_OPTIONS = ("--bind", "127.0.0.1", "--save", "", "--appendonly", "no")


class ServerMissing(Exception):
    """The program of a server that an attack needs is not installed."""


class ServerFailed(Exception):
    """A server did not start."""


def has_redis() -> bool:
    """Return whether a Redis server is installed."""
    return shutil.which(PROGRAM) is not None


class RedisServer:
    """A Redis server in ``folder``; what it holds is gone when it ends."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which(PROGRAM)
        if program is None:
            raise ServerMissing(f"needs {PROGRAM}, which is not installed; on Debian: sudo apt-get install {PROGRAM}")
        self._program = program
        self._folder = folder
        # Below the ports that the kernel gives out by itself, so that no client has taken it when it is started anew.
        self._port = random.randrange(10_000, 32_000)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return f"redis://127.0.0.1:{self._port}/0"

    def start(self, *options: str) -> None:
        """Start it, empty; raises ``ServerFailed``."""
        command = [self._program, "--port", str(self._port), "--dir", str(self._folder), *_OPTIONS, *options]
        with Path(self._folder, "redis.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        until = time.monotonic() + START
        while time.monotonic() < until and self._process.poll() is None:
            if self._answers():
                return
            time.sleep(0.02)
        self.kill()
        raise ServerFailed(f"{PROGRAM} did not start")

    def ask(self, *words: str) -> Any:
        """Return the answer to one command."""
        with Redis(port=self._port, socket_timeout=STOP) as client:
            return client.execute_command(*words)

    def contents(self) -> bytes:
        """Return all keys and values."""
        with Redis(port=self._port, socket_timeout=STOP) as client:
            found: list[Any] = []
            for key in client.scan_iter():
                words = _READ[client.type(key)]
                found += [key, client.execute_command(words[0], key, *words[1:])]
        return repr(found).encode()

    def freeze(self) -> None:
        """Make it hang, with its sockets open."""
        self._send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._send(signal.SIGCONT)

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(STOP)
            self._process = None

    def _send(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def _answers(self) -> bool:
        try:
            return bool(self.ask("PING"))
        except RedisError:
            return False


@contextmanager
def run_redis(options: Sequence[str]) -> Iterator[RedisServer]:
    """Run a server for the time of the block; raises ``ServerMissing`` and ``ServerFailed``."""
    with TemporaryDirectory(prefix="attacks-redis-") as folder:
        server = RedisServer(Path(folder))
        server.start(*options)
        try:
            yield server
        finally:
            server.kill()
