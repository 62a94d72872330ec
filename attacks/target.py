"""Target: the demo, started on a free port of loopback in a folder of its own, and thrown away afterwards."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from attacks.client import SOCKET_TIMEOUT, Broken, Client
from attacks.provider import Provider, run_provider
from attacks.servers import RedisServer, run_redis
from attacks.site import Site

OWN_REDIS = "redis"
"""The store that stands for a Redis started for the attack alone."""
PATIENCE = 120.0
"""Seconds that one attack may take."""
SPRAY_LAYERS = (
    "same-secret",
    "alarm",
    "accounts-an-address",
    "accounts-an-address-at-once",
    "accounts-an-address-a-day",
    "accounts-a-site",
    "accounts-tried-an-address",
)
"""The layers of the login policy that see one client try many accounts."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How the demo is served to an attack.

    ``proxied`` puts it behind a proxy on loopback, so that an attack can come from anywhere. ``config`` is TOML: where
    an attack has to wait a window out, windows are seconds. ``dropped`` are layers of the login policy that would stop
    the attack too; they are missing on both sides, so that nothing but the one defense makes the difference.
    ``fail_mode`` is what logins do when the store is too slow, which it is on a busy machine: 503, so that the counts
    of an attack don't hang on that. ``redis`` are the options of a Redis that the demo counts in, ``None`` where any
    store will do. ``provider``: text messages leave by an SMS provider, not to the outbox. ``options`` are more words
    on the demo's command line. ``refusal`` is what a demo says that would rather not start than be attacked like this.
    ``timed``: how soon the demo answers may change what is counted; nothing else should use the processor meanwhile.
    """

    workers: int = 2
    threads: int = 4
    proxied: bool = False
    config: str = ""
    dropped: tuple[str, ...] = ()
    fail_mode: str = "closed"
    redis: tuple[str, ...] | None = None
    provider: bool = False
    options: tuple[str, ...] = ()
    refusal: str = ""
    timed: bool = False

    def needs_redis(self, store: str | None) -> bool:
        """Return whether a Redis has to be started, where the guarded demo is to count in ``store``."""
        return self.redis is not None or store == OWN_REDIS

    @property
    def policies(self) -> str:
        """The demo's policies, as TOML."""
        tables = [f'[policies.login]\nfail_mode = "{self.fail_mode}"\n']
        tables += [f"[policies.login.layers.{layer}]\nremove = true\n" for layer in self.dropped]
        return "".join((*tables, self.config))


@dataclass(frozen=True, slots=True)
class Target:
    """A running demo, and the servers that were started for it: the Redis that it counts in, an SMS provider.

    ``process`` is the demo's first process, the parent of its workers; ``demos`` starts more of them.
    """

    url: str
    proxied: bool
    deadline: float
    redis: RedisServer | None = None
    sms: Provider | None = None
    process: int = 0
    demos: Site | None = None

    @property
    def server(self) -> RedisServer:
        """The Redis; raises ``Broken`` where there is none."""
        if self.redis is None:
            raise Broken("the attack was given no Redis")
        return self.redis

    @property
    def provider(self) -> Provider:
        """The SMS provider; raises ``Broken`` where there is none."""
        if self.sms is None:
            raise Broken("the attack was given no SMS provider")
        return self.sms

    @property
    def site(self) -> Site:
        """What the demo shares with others; raises ``Broken`` where there is none."""
        if self.demos is None:
            raise Broken("the attack was given no demo of its own")
        return self.demos

    @contextmanager
    def beside(self, *options: str) -> Iterator[Target]:
        """Serve another demo of the same site, as on another machine, with more ``options``."""
        with self.site.open(*options) as demo:
            yield replace(self, url=demo.url, process=demo.process)

    def kill_workers(self) -> None:
        """End the demo's workers as a crash would; it starts others in their place."""
        for child in Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)

    def client(
        self,
        address: str | None = None,
        *,
        forged: str | None = None,
        timeout: float = SOCKET_TIMEOUT,
        honest: bool = False,
    ) -> Client:
        """Return a client at ``address``; what it writes into the forwarding header itself is ``forged``.

        The proxy appends the address it sees, so the header reads ``forged, address``. ``timeout`` is in seconds. An
        ``honest`` one waits as long as a busy demo asks.
        """
        forwarded = ", ".join(part for part in (forged, address) if part) if self.proxied else None
        return Client(self.url, forwarded, self.deadline, timeout, honest)


@contextmanager
def serve(setup: Setup, without: str | None, store: str | None) -> Iterator[Target]:
    """Serve the demo, ``without`` one of its defenses; raises ``TargetFailed`` with what it said instead.

    Raises ``ServerMissing`` and ``ServerFailed`` where it needs a Redis.
    """
    with (
        run_redis(setup.redis or ()) if setup.needs_redis(store) else nullcontext() as redis,
        run_provider() if setup.provider else nullcontext() as sms,
        TemporaryDirectory(prefix="attacks-", ignore_cleanup_errors=True) as folder,
    ):
        command = _command(setup, without, redis.url if redis else store, Path(folder))
        command += ["--provider", sms.url] if sms else []
        site = Site(Path(folder), tuple(command))
        with site.open() as demo:
            yield Target(demo.url, setup.proxied, time.monotonic() + PATIENCE, redis, sms, demo.process, site)


def _command(setup: Setup, without: str | None, store: str | None, folder: Path) -> list[str]:
    command = [sys.executable, "-m", "demo_app", "--port", "0", "--instance", str(folder / "instance")]
    command += ["--workers", str(setup.workers), "--threads", str(setup.threads), *setup.options]
    config = folder / "policies.toml"
    config.write_text(setup.policies)
    command += ["--config", str(config)]
    command += ["--proxy", "nginx"] if setup.proxied else []
    command += ["--without", without] if without else []
    command += ["--store", store] if store else []
    return command
