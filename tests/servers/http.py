"""HTTP: a server of our own on loopback that writes down what it is asked and answers as it was told."""

from __future__ import annotations

import ssl
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import NamedTuple, Self

from tests.servers.certificates import Certificates


class Asked(NamedTuple):
    """One request."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


class HttpServer:
    """``answers`` are the statuses to give, in turn, the last one again and again; 0 hangs up without an answer."""

    def __init__(self, *answers: int, certificates: Certificates | None = None) -> None:
        self.asked: list[Asked] = []
        self._answers = list(answers)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        if certificates:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificates.certificate, certificates.key)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        scheme = "https" if certificates else "http"
        self.url = f"{scheme}://localhost:{self._server.server_port}"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.asked.append(Asked("POST", self.path, dict(self.headers), body))
                answers = outer._answers
                status = answers.pop(0) if len(answers) > 1 else answers[0]
                if status:
                    self.send_response(status)
                    self.send_header("Location", "/elsewhere")
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Keep the tests' output clean."""

        return Handler

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
