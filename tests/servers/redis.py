"""Redis: a server of its own for each test that needs one, in a temporary folder."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from tests.servers.certificates import Certificates
from tests.servers.ports import free_port
from tests.servers.process import ServerProcess

READY = "eady to accept connections"
# `debug sleep` makes a server slow on purpose; the config commands of a check must work everywhere.
OPTIONS = ("--save", "", "--appendonly", "no", "--bind", "127.0.0.1", "--enable-debug-command", "yes")


class RedisServer:
    """A Redis server; ``.url`` is where it is while the ``with`` block runs.

    ``options`` go on its command line. ``password`` is that of the default user; ``acl`` is a user's line in the
    words of ``ACL SETUSER``, as in ``"guard on >secret ~* +@all"``, and the URL names that user then.
    ``AUTHGUARD_REDIS_SERVER`` in the environment is another program than ``redis-server``, such as Valkey's.
    """

    binary = os.environ.get("AUTHGUARD_REDIS_SERVER", "redis-server")

    def __init__(
        self, *options: str, password: str = "", acl: str = "", unix: bool = False, tls: bool = False, port: int = 0
    ) -> None:
        self.port = port or free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="authguard-redis-"))
        self.certificates = Certificates(self.folder) if tls else None
        self._unix = unix
        self._user, self._password = "", password
        self._options = [*OPTIONS, "--dir", str(self.folder), *options]
        if password:
            self._options += ["--requirepass", password]
        if acl:
            self._user, self._password = acl.split(maxsplit=1)[0], acl.partition(">")[2].split()[0]
            self._options += ["--user", *acl.split()]
        self.process: ServerProcess | None = None

    @property
    def url(self) -> str:
        """The URL of the server, with its credentials."""
        login = f"{quote(self._user, safe='')}:{quote(self._password, safe='')}@" if self._password else ""
        if self._unix:
            return f"unix://{login}{self.socket}"
        if self.certificates:
            return f"rediss://{login}localhost:{self.port}/0?ssl_ca_certs={self.certificates.authority}"
        return f"redis://{login}127.0.0.1:{self.port}/0"

    @property
    def socket(self) -> Path:
        """The path of the unix socket."""
        return self.folder / "redis.sock"

    @property
    def running(self) -> ServerProcess:
        """The server's process."""
        assert self.process is not None, "the server has not been started"
        return self.process

    def start(self) -> None:
        """Start the server and wait until it answers; what an earlier one held is gone."""
        listen = ["--port", str(self.port)]
        if self._unix:
            listen = ["--port", "0", "--unixsocket", str(self.socket)]
        elif self.certificates:
            listen = ["--port", "0", "--tls-port", str(self.port), *self.certificates.redis_options]
        self.process = ServerProcess([self.binary, *listen, *self._options])
        try:
            self.process.wait_for(READY)
        except AssertionError:
            self.__exit__(None, None, None)
            raise

    def kill(self) -> None:
        """End the server as a crash would."""
        self.running.kill()

    def freeze(self) -> None:
        """Make the server hang with its sockets open."""
        self.running.send(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the server go on."""
        self.running.send(signal.SIGCONT)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process is not None:
            self.process.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
