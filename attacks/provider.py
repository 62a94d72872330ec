"""Provider: the attacks' own SMS provider, which they can make hang, fail and die, and ask what it truly sent."""

from __future__ import annotations

import json
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from attacks.gateway import MOOD, REFUSED, SENT
from attacks.servers import START, STOP, ServerFailed

ROOT = Path(__file__).resolve().parents[1]
ARRIVAL = 10.0
"""Seconds that a message may take to leave."""
POLL = 0.05


@dataclass(frozen=True, slots=True)
class Mood:
    """What becomes of a message: whether it ``takes`` off, and the ``status`` that says so after ``seconds``."""

    takes: bool = True
    status: int = 201
    seconds: float = 0.0


WELL = Mood()
SILENT = Mood(seconds=60.0)
"""Sends the message, and answers when nobody waits for it any more."""
BROKEN = Mood(status=500)
"""Sends the message, and answers that something went wrong."""
REFUSING = Mood(takes=False, status=422)


@dataclass(frozen=True, slots=True)
class Text:
    """A message that was truly sent; ``at`` is in seconds since the Unix epoch."""

    to: str
    text: str
    at: float


class Provider:
    """A gateway in ``folder``, in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> None:
        """Start it, in good health; raises ``ServerFailed``."""
        self.behave(WELL)
        command = [sys.executable, "-m", "attacks.gateway", str(self._folder)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None  # noqa: S101 - it was asked for
        ready, _, _ = select.select([self._process.stdout], [], [], START)
        port = self._process.stdout.readline().strip() if ready else ""
        if not port:
            self.kill()
            raise ServerFailed("the SMS provider did not start")
        self.url = f"http://127.0.0.1:{port}/v2/messages"

    def behave(self, mood: Mood) -> None:
        """Treat messages like this from now on."""
        fresh = self._folder / "fresh"
        fresh.write_text(json.dumps(asdict(mood)))
        fresh.replace(self._folder / MOOD)

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate(timeout=STOP)
            self._process = None

    def sent(self, to: str | None = None) -> list[Text]:
        """Return every message that was truly sent, to ``to`` alone where it is given, oldest first."""
        return [text for text in self._read(SENT) if to in (None, text.to)]

    def refused(self) -> list[Text]:
        """Return every message that it was asked to send and didn't."""
        return self._read(REFUSED)

    def _read(self, name: str) -> list[Text]:
        path = self._folder / name
        lines = path.read_text().splitlines() if path.exists() else []
        return [Text(**json.loads(line)) for line in lines]

    def wait_for(self, count: int, seconds: float = ARRIVAL, to: str | None = None) -> list[Text]:
        """Return what :meth:`sent` says once that are ``count`` messages, or the time is up."""
        until = time.monotonic() + seconds
        while len(sent := self.sent(to)) < count and time.monotonic() < until:
            time.sleep(POLL)
        return sent


def busiest(times: Sequence[float], seconds: float) -> int:
    """Return how many of ``times`` lie within the busiest stretch of so many ``seconds``."""
    return max((sum(start <= at < start + seconds for at in times) for start in times), default=0)


@contextmanager
def run_provider() -> Iterator[Provider]:
    """Run a provider for the time of the block; raises ``ServerFailed``."""
    with TemporaryDirectory(prefix="attacks-provider-") as folder:
        provider = Provider(Path(folder))
        provider.start()
        try:
            yield provider
        finally:
            provider.kill()
