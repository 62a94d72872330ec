"""Wire: one deadline for all addresses of a host and for every step, and no more than is good for us is listened to."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

import pytest

from authguard.delivery import Channel, Deliver, Message, NotDelivered
from authguard.delivery.sms import FormSms, JsonSms
from authguard.delivery.smtp import Security, SmtpMail
from tests.delivery.providers import message
from tests.servers.certificates import Certificates
from tests.servers.http import HttpServer
from tests.servers.smtp import SmtpServer

MAIL = message("hello", Channel.MAIL, "a@example.com")
TIMEOUT = 2.0


@contextmanager
def silent() -> Iterator[tuple[str, int]]:
    """Give an address that takes no connection and refuses none: its queue is full, so that it drops what comes."""
    with ExitStack() as opened:
        listener = opened.enter_context(closing(socket.socket()))
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(2):
            filler = opened.enter_context(closing(socket.socket()))
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
        yield listener.getsockname()


@pytest.fixture
def resolve(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[tuple[str, int]]], None]:
    """Return what gives every host these addresses."""

    def use(addresses: list[tuple[str, int]]) -> None:
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", address) for address in addresses]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *place, **more: found)

    return use


def text(port: int = 1) -> JsonSms:
    return JsonSms(f"http://localhost:{port}/", "KEY", "+1", timeout=TIMEOUT)


def mail(port: int = 1, timeout: float = TIMEOUT) -> SmtpMail:
    return SmtpMail("localhost", port, "c@example.com", security=Security.UNSAFE_PLAINTEXT, timeout=timeout)


@pytest.mark.parametrize(("provider", "sent"), [(text(), message()), (mail(), MAIL)])
def test_a_host_with_many_silent_addresses_takes_one_timeout(provider: Deliver, sent: Message, resolve: Any) -> None:
    with silent() as address:
        resolve([address] * 8)
        started = monotonic()
        with pytest.raises(NotDelivered) as caught:
            provider.deliver(sent)
        assert monotonic() - started < 2 * TIMEOUT
    assert caught.value.code == "unreachable"


def test_the_address_that_answers_is_found_behind_silent_ones(resolve: Any) -> None:
    with silent() as address, HttpServer(200) as server:
        port = int(server.url.rpartition(":")[2])
        resolve([address, address, ("127.0.0.1", port)])
        text(port).deliver(message())
    assert len(server.asked) == 1


def test_a_host_without_an_address_or_a_name_is_nobody(resolve: Any) -> None:
    with pytest.raises(NotDelivered):
        JsonSms("https://a..b/", "KEY", "+1").deliver(message())
    resolve([])
    with pytest.raises(NotDelivered):
        text().deliver(message())


def test_a_process_that_may_begin_no_thread_delivers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """At its end a process may not, since Python 3.12; its last messages leave then all the same."""
    with HttpServer(200) as server, SmtpServer(Certificates(tmp_path)) as mails, monkeypatch.context() as patched:
        real = Thread.start

        def start(thread: Thread) -> None:
            if thread.daemon and "process_request" not in thread.name:
                raise RuntimeError("can't create new thread at interpreter shutdown")
            real(thread)

        patched.setattr(Thread, "start", start)
        FormSms(server.url, "AC1", "secret", "+1").deliver(message())
        mail(mails.port).deliver(MAIL)
    assert (len(server.asked), len(mails.mails)) == (1, 1)


@contextmanager
def talking(first: bytes, then: bytes = b"") -> Iterator[int]:
    """Give the port of a server that says ``first``, then ``then`` for as long as somebody listens."""

    def serve() -> None:
        client, _ = listener.accept()
        with client:
            client.settimeout(20)
            try:
                client.sendall(first)
                client.recv(65536)
                while then:
                    client.sendall(then)
                while client.recv(65536):
                    pass
            except OSError:
                return

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        thread = Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(30)


def test_who_says_too_much_is_not_listened_to() -> None:
    started = monotonic()
    with talking(b"220 hello\r\n", b"250-so it is\r\n" * 4096) as port, pytest.raises(NotDelivered):
        mail(port, timeout=10).deliver(MAIL)
    with talking(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 4096) as port, pytest.raises((OSError, HTTPException)):
        JsonSms(f"http://127.0.0.1:{port}/", "KEY", "+1", timeout=50).deliver(message())
    assert monotonic() - started < 15


def test_a_server_that_never_says_goodbye_is_not_waited_for() -> None:
    """It has taken the mail, which is not to be uncertain where the process ends meanwhile."""
    replies = b"220 hello\r\n250 hello\r\n250 ok\r\n250 ok\r\n354 go on\r\n250 taken\r\n"
    with talking(replies) as port:
        started = monotonic()
        mail(port, timeout=10).deliver(MAIL)
        assert monotonic() - started < 8


def test_a_handshake_that_never_ends_is_nobody() -> None:
    with talking(b"") as port:
        provider = JsonSms(f"https://127.0.0.1:{port}/", "KEY", "+1", timeout=0.5, context=ssl.create_default_context())
        started = monotonic()
        with pytest.raises(NotDelivered):
            provider.deliver(message())
        assert monotonic() - started < 10
