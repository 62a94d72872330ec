"""Site: the demos that share one folder and one store, as the machines of one site do."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
START = 30.0
"""Seconds that a demo may take to start."""
POLL = 0.05


class TargetFailed(Exception):
    """The demo did not start, or does not answer as a working demo does."""


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo that serves at ``url``; ``process`` is the id of its first process, the parent of its workers."""

    url: str
    process: int


@dataclass(frozen=True, slots=True)
class Site:
    """``folder`` holds what the demos keep; ``command`` starts one of them."""

    folder: Path
    command: tuple[str, ...]

    @property
    def log(self) -> Path:
        """All that the demos have printed."""
        return self.folder / "log"

    @property
    def counters(self) -> list[Path]:
        """The files of the store that a demo has by default."""
        return sorted(self.folder.glob("instance/authguard.sqlite3*"))

    @contextmanager
    def open(self, *options: str) -> Iterator[Demo]:
        """Serve a demo with more ``options`` for the time of the block; raises ``TargetFailed``."""
        with self.log.open("ab") as log:
            begin = log.tell()
            command = [*self.command, *options]
            process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)
        try:
            yield Demo(self._wait_for_url(process, begin), process.pid)
        finally:
            _stop(process)

    def _wait_for_url(self, process: subprocess.Popen[bytes], begin: int) -> str:
        until = time.monotonic() + START
        while True:
            over = process.poll() is not None or time.monotonic() > until
            said = self.log.read_bytes()[begin:].decode(errors="replace")
            found = re.search(r" at (http://\S+)\s", said)
            if found is not None:
                return found[1]
            if over:
                raise TargetFailed(f"the demo did not start: {(said.strip().splitlines() or ['no word'])[-1]}")
            time.sleep(POLL)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Kill the demo with its workers: what a graceful end waits for is about to be thrown away."""
    with suppress(ProcessLookupError):  # it has ended by itself
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
