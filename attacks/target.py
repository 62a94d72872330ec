"""Target: the demo, started on a free port of loopback in a folder of its own, and thrown away afterwards."""

from __future__ import annotations

import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from attacks.client import Client

ROOT = Path(__file__).resolve().parents[1]
START = 30.0
"""Seconds that the demo may take to start."""
STOP = 15.0
"""Seconds that it may take to stop."""
PATIENCE = 120.0
"""Seconds that one attack may take."""


class TargetFailed(Exception):
    """The demo did not start, or does not answer as a working demo does."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How the demo is served to an attack.

    ``proxied`` puts it behind a proxy on loopback, so that an attack can come from anywhere. ``config`` is TOML: where
    an attack has to wait a window out, windows are seconds. ``fail_mode`` is what logins do when the store is too slow,
    which it is on a busy machine: 503, so that the counts of an attack don't hang on that.
    """

    workers: int = 2
    threads: int = 4
    proxied: bool = False
    config: str = ""
    fail_mode: str = "closed"


@dataclass(frozen=True, slots=True)
class Target:
    """A running demo."""

    url: str
    proxied: bool
    deadline: float

    def client(self, address: str | None = None, *, forged: str | None = None) -> Client:
        """Return a client at ``address``; what it writes into the forwarding header itself is ``forged``.

        The proxy appends the address it sees, so the header reads ``forged, address``.
        """
        forwarded = ", ".join(part for part in (forged, address) if part) if self.proxied else None
        return Client(self.url, forwarded, self.deadline)


@contextmanager
def serve(setup: Setup, without: str | None, store: str | None) -> Iterator[Target]:
    """Serve the demo, ``without`` one of its defenses; raises ``TargetFailed`` with what it said instead."""
    with TemporaryDirectory(prefix="attacks-") as folder:
        log = Path(folder, "log")
        command = _command(setup, without, store, Path(folder))
        with (
            log.open("wb") as errors,
            subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
        ):
            try:
                yield Target(_wait_for_url(process, log), setup.proxied, time.monotonic() + PATIENCE)
            finally:
                _stop(process)


def _command(setup: Setup, without: str | None, store: str | None, folder: Path) -> list[str]:
    command = [sys.executable, "-m", "demo_app", "--port", "0", "--instance", str(folder / "instance")]
    command += ["--workers", str(setup.workers), "--threads", str(setup.threads)]
    config = folder / "policies.toml"
    config.write_text(f'[policies.login]\nfail_mode = "{setup.fail_mode}"\n{setup.config}')
    command += ["--config", str(config)]
    command += ["--proxy", "nginx"] if setup.proxied else []
    command += ["--without", without] if without else []
    command += ["--store", store] if store else []
    return command


def _wait_for_url(process: subprocess.Popen[str], log: Path) -> str:
    assert process.stdout is not None  # noqa: S101 - it was asked for
    ready, _, _ = select.select([process.stdout], [], [], START)
    line = process.stdout.readline() if ready else ""
    if "http://" not in line:
        said = log.read_text(errors="replace").strip().splitlines() or ["no word"]
        raise TargetFailed(f"the demo did not start: {said[-1]}")
    return "http://" + line.partition("http://")[2].strip()


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOP)
    except subprocess.TimeoutExpired:
        process.kill()
