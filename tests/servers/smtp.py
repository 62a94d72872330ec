"""SMTP: a mail server of our own on loopback, with and without TLS, that keeps what it gets and refuses on demand."""

from __future__ import annotations

import ssl
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread
from types import TracebackType
from typing import NamedTuple, Self

from tests.servers.certificates import Certificates


class Mail(NamedTuple):
    """One mail as it came over the wire; ``secure`` says whether over TLS."""

    sender: str
    recipients: list[str]
    content: bytes
    secure: bool


class _Server(ThreadingTCPServer):
    """The sockets, and what every conversation shares."""

    daemon_threads = True

    def __init__(self, context: ssl.SSLContext, implicit: bool, refuse: str, hang_up: str) -> None:
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.context, self.implicit, self.refuse, self.hang_up = context, implicit, refuse, hang_up
        self.mails: list[Mail] = []
        self.logins: list[str] = []


class _Conversation(StreamRequestHandler):
    """One client's commands, answered one after the other."""

    server: _Server

    def setup(self) -> None:
        self.secure = False
        self.from_, self.to = "", list[str]()
        super().setup()
        if self.server.implicit:
            self._wrap()

    def handle(self) -> None:
        try:
            self._say("220 tests")
            while line := self.rfile.readline().decode().strip():
                verb, _, rest = line.partition(" ")
                if verb.upper() == self.server.hang_up:
                    return
                self._answer(verb.upper(), rest)
        except OSError:
            return  # a client that does not trust the certificate hangs up

    def finish(self) -> None:
        super().finish()
        self.request.close()

    def _say(self, line: str) -> None:
        self.wfile.write(line.encode() + b"\r\n")

    def _wrap(self) -> None:
        super().finish()
        self.request = self.server.context.wrap_socket(self.request, server_side=True)
        self.secure = True
        super().setup()

    def _answer(self, verb: str, rest: str) -> None:
        if verb == self.server.refuse:
            self._say("550 no")
            return
        answers = {"EHLO": self._greet, "STARTTLS": self._protect, "AUTH": self._log_in, "DATA": self._take}
        answers.get(verb, self._note)(f"{verb} {rest}")

    def _greet(self, line: str) -> None:
        self._say("250-tests\r\n250 " + ("AUTH PLAIN" if self.secure else "STARTTLS"))

    def _protect(self, line: str) -> None:
        self._say("220 go")
        self._wrap()

    def _log_in(self, line: str) -> None:
        self.server.logins.append(line)
        self._say("235 in")

    def _take(self, line: str) -> None:
        self._say("354 go on")
        lines = list(iter(self.rfile.readline, b".\r\n"))
        self.server.mails.append(Mail(self.from_, self.to, b"".join(lines), self.secure))
        self._say("250 taken")

    def _note(self, line: str) -> None:
        if line.startswith("MAIL "):
            self.from_, self.to = line, []
        elif line.startswith("RCPT "):
            self.to.append(line.removeprefix("RCPT "))
        self._say("250 fine")


class SmtpServer:
    """``refuse`` is the verb that is answered 550; ``hang_up`` that after which the connection is closed."""

    def __init__(
        self, certificates: Certificates, *, implicit: bool = False, refuse: str = "", hang_up: str = ""
    ) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates.certificate, certificates.key)
        self._server = _Server(context, implicit, refuse, hang_up)
        self.mails, self.logins = self._server.mails, self._server.logins
        self.port = self._server.server_address[1]
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
