"""Process: a server in a process of its own, whose log is read all the time."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from threading import Condition, Thread


class ServerProcess:
    """A running command. ``wait_for`` returns when its log has said something; ``stop`` ends it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._log: list[str] = []
        self._said = Condition()
        self._ended = False
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """The process's id."""
        return self._process.pid

    @property
    def last_words(self) -> str:
        """The end of the log, for a failure to show."""
        return "".join(self._log[-60:])

    def wait_for(self, text: str, *, times: int = 1, seconds: float = 20) -> None:
        """Return once ``times`` lines of the log contain ``text``; raises ``AssertionError`` with the log's end."""

        def said() -> bool:
            return sum(text in line for line in self._log) >= times

        with self._said:
            self._said.wait_for(lambda: self._ended or said(), seconds)
            assert said(), f"the log never has {text!r} {times} times:\n{self.last_words}"

    def send(self, number: signal.Signals) -> None:
        """Send a signal: ``SIGSTOP`` and ``SIGCONT`` make the server hang and go on."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """End the process as a crash would."""
        self._process.kill()
        self._finish()

    def stop(self) -> None:
        """End the process in good order, or as a crash would when it takes too long or hangs."""
        self._process.send_signal(signal.SIGCONT)
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._finish()

    def _finish(self) -> None:
        self._process.wait()
        self._reader.join(5)
        if self._process.stdout:
            self._process.stdout.close()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            with self._said:
                self._log.append(line)
                self._said.notify_all()
        with self._said:
            self._ended = True
            self._said.notify_all()
