"""Gateway: the process of an SMS provider on loopback. It writes down what it truly sends, and behaves as it is told.

``python -m attacks.gateway FOLDER``: messages are ``sent`` there, or ``refused``, one line of JSON each; ``mood`` says
how to answer.
"""

from __future__ import annotations

import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SENT, REFUSED, MOOD = "sent", "refused", "mood"


class Gateway(ThreadingHTTPServer):
    """Takes messages as providers do that speak JSON; a message with a key seen before is one more message."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def mood(self) -> dict[str, Any]:
        """How to answer now: whether a message ``takes`` off, and with which ``status`` after how many ``seconds``."""
        mood: dict[str, Any] = json.loads((self.folder / MOOD).read_text())
        return mood

    def write_down(self, message: dict[str, str], name: str) -> None:
        """Put ``message`` into the file called ``name``: there is nobody else to get it."""
        line = json.dumps({"to": message["to"], "text": message["text"], "at": time.time()}) + "\n"
        descriptor = os.open(self.folder / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)


class _Handler(BaseHTTPRequestHandler):
    server: Gateway

    def do_POST(self) -> None:
        """Take a message, or don't."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        mood = self.server.mood
        self.server.write_down(json.loads(body), SENT if mood["takes"] else REFUSED)
        time.sleep(mood["seconds"])
        self.send_response(mood["status"])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def main() -> None:
    """Print the port, and serve until the process is killed."""
    gateway = Gateway(Path(sys.argv[1]))
    print(gateway.server_port, flush=True)
    gateway.serve_forever()


if __name__ == "__main__":
    main()
