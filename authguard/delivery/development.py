"""Development: messages that go to a terminal or a file, where whoever builds the application reads them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from threading import Lock
from typing import TextIO

from authguard.delivery.message import Message


class Console:
    """Writes each message to ``stream`` (standard error, unless given another). Codes in clear: never in production."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._lock = Lock()

    def deliver(self, message: Message) -> None:
        """See :class:`~authguard.delivery.deliver.Deliver`."""
        subject = f"{message.subject}\n\n" if message.subject else ""
        with self._lock:
            print(
                f"--- {message.channel} to {message.to}\n{subject}{message.text}\n---",
                file=self._stream or sys.stderr,
                flush=True,
            )


class File:
    """Appends each message as a line of JSON to a file that only its owner reads. Never in production either.

    The file may be shared by processes: a line is appended in one write.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)

    def deliver(self, message: Message) -> None:
        """See :class:`~authguard.delivery.deliver.Deliver`."""
        fields = {
            "channel": message.channel,
            "to": message.to,
            "subject": message.subject,
            "text": message.text,
            "key": message.key,
        }
        line = (json.dumps(fields) + "\n").encode()
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line)
        finally:
            os.close(descriptor)
