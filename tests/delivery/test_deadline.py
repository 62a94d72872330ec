"""Deadline: a provider that answers drop by drop holds nobody up for longer than it may."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from threading import Event, Thread

import pytest

from authguard.delivery import Channel, Deliver, NotDelivered
from authguard.delivery.sms import FormSms, JsonSms
from authguard.delivery.smtp import Security, SmtpMail
from tests.delivery.providers import message

DROPS = 600
"""Drops of a thirtieth of a second each: some twenty seconds, if nobody hangs up."""


class Dripping:
    """A server that says ``greeting``, waits for the first word, and then says ``drop`` again and again."""

    def __init__(self, greeting: bytes, drop: bytes) -> None:
        self.cut = False
        self._said = greeting, drop
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def serve(self) -> None:
        """Serve one client, and note whether it hung up before the end."""
        greeting, drop = self._said
        client, _ = self._listener.accept()
        pause = Event()
        with client:
            client.sendall(greeting)
            client.recv(65536)
            try:
                for _ in range(DROPS):
                    client.sendall(drop)
                    pause.wait(1 / 30)
            except OSError:
                self.cut = True


@contextmanager
def dripping(greeting: bytes, drop: bytes) -> Iterator[Dripping]:
    """Run one for the time of the block."""
    server = Dripping(greeting, drop)
    thread = Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        thread.join(60)
        server._listener.close()


@pytest.mark.parametrize("kind", [FormSms, JsonSms])
@pytest.mark.parametrize("drop", [b"X", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_an_answer_in_drops_is_uncertain_in_time(kind: type, drop: bytes) -> None:
    with dripping(b"", drop) as server:
        url = f"http://127.0.0.1:{server.port}/"
        credentials = ("user", "secret") if kind is FormSms else ("token",)
        provider: Deliver = kind(url, *credentials, "+1", timeout=0.5)
        with pytest.raises((OSError, HTTPException)):
            provider.deliver(message())
    assert server.cut


@pytest.mark.parametrize("greeting", [b"", b"220 hello\r\n"])
def test_a_greeting_in_drops_is_nobody(greeting: bytes) -> None:
    with dripping(greeting, b"250-more\r\n") as server:
        provider = SmtpMail(
            "127.0.0.1", server.port, "codes@example.com", security=Security.UNSAFE_PLAINTEXT, timeout=0.2
        )
        with pytest.raises(NotDelivered) as caught:
            provider.deliver(message("hello", Channel.MAIL, "a@example.com"))
    assert caught.value.code == "unreachable"
    assert server.cut


def test_a_mail_server_that_drips_after_the_mail_is_cut_off() -> None:
    replies = b"220 hello\r\n250 hello\r\n250 ok\r\n250 ok\r\n354 go on\r\n"
    with dripping(replies, b"250-more\r\n") as server:
        provider = SmtpMail(
            "127.0.0.1", server.port, "codes@example.com", security=Security.UNSAFE_PLAINTEXT, timeout=0.2
        )
        with pytest.raises(smtplib.SMTPServerDisconnected):
            provider.deliver(message("hello", Channel.MAIL, "a@example.com"))
    assert server.cut
