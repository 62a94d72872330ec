"""SMTP: real conversations with a real server, in TLS or not at all, to one reader."""

from __future__ import annotations

import smtplib
import ssl
from contextlib import suppress
from email import message_from_bytes
from email.policy import default

import pytest

from authguard.delivery import Channel, Message, NotDelivered
from authguard.delivery.smtp import Security, SmtpMail
from authguard.errors import ConfigurationError
from tests.delivery.providers import message
from tests.servers.certificates import Certificates
from tests.servers.ports import free_port
from tests.servers.smtp import SmtpServer

SENDER = "Example <codes@example.com>"
READER = "owner@example.com"
TEXT = "Your code is 012345.\n\n.a line that begins with a dot\nGrüße"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return Certificates(tmp_path_factory.mktemp("certificates"))


def mailer(server: SmtpServer, certificates: Certificates, security: Security = Security.STARTTLS) -> SmtpMail:
    context = ssl.create_default_context(cafile=str(certificates.authority))
    user = "" if security is Security.UNSAFE_PLAINTEXT else "user"
    return SmtpMail("localhost", server.port, SENDER, user=user, password="pw", security=security, context=context)


@pytest.mark.parametrize("security", list(Security))
def test_mail_arrives_as_it_was_written(certificates: Certificates, security: Security) -> None:
    with SmtpServer(certificates, implicit=security is Security.TLS) as server:
        mailer(server, certificates, security).deliver(message(TEXT, Channel.MAIL, READER))
    (mail,) = server.mails
    read = message_from_bytes(mail.content, policy=default)
    assert mail.recipients == [f"TO:<{READER}>"]
    assert (read["To"], read["From"], read["Subject"]) == (READER, SENDER, "subject")
    assert read["Auto-Submitted"] == "auto-generated"
    assert read["Message-ID"].endswith("@example.com>")
    assert read.get_content().replace("\r\n", "\n").strip().replace("\n..a", "\n.a") == TEXT
    assert mail.secure is (security is not Security.UNSAFE_PLAINTEXT)
    assert len(server.logins) == (security is not Security.UNSAFE_PLAINTEXT)


def test_no_mail_without_a_trusted_certificate(certificates: Certificates) -> None:
    with SmtpServer(certificates) as server, pytest.raises(NotDelivered):
        SmtpMail("localhost", server.port, SENDER).deliver(message(TEXT, Channel.MAIL, READER))
    assert server.mails == []


def test_no_mail_where_tls_is_not_offered(certificates: Certificates) -> None:
    with SmtpServer(certificates, refuse="STARTTLS") as server, pytest.raises(NotDelivered) as caught:
        mailer(server, certificates).deliver(message(TEXT, Channel.MAIL, READER))
    assert caught.value.code == "unreachable"
    assert server.mails == []


@pytest.mark.parametrize("verb", ["MAIL", "RCPT", "DATA"])
def test_a_no_is_certain(certificates: Certificates, verb: str) -> None:
    with SmtpServer(certificates, refuse=verb) as server, pytest.raises(NotDelivered) as caught:
        mailer(server, certificates).deliver(message(TEXT, Channel.MAIL, READER))
    assert caught.value.code == "refused"


def test_a_connection_that_breaks_is_uncertain(certificates: Certificates) -> None:
    with SmtpServer(certificates, hang_up="DATA") as server, pytest.raises(smtplib.SMTPServerDisconnected):
        mailer(server, certificates).deliver(message(TEXT, Channel.MAIL, READER))


def test_a_server_that_says_no_goodbye_has_taken_the_mail(certificates: Certificates) -> None:
    with SmtpServer(certificates, hang_up="QUIT") as server:
        mailer(server, certificates).deliver(message(TEXT, Channel.MAIL, READER))
    assert len(server.mails) == 1


def test_nobody_reached_is_certain() -> None:
    with pytest.raises(NotDelivered) as caught:
        SmtpMail("127.0.0.1", free_port(), SENDER).deliver(message(TEXT, Channel.MAIL, READER))
    assert caught.value.code == "unreachable"


@pytest.mark.parametrize(
    "to", ["owner@example.com, evil@example.net", "Evil <evil@example.net>", "no address", "a@b@c"]
)
def test_one_reader_and_no_list(certificates: Certificates, to: str) -> None:
    with SmtpServer(certificates) as server, pytest.raises(NotDelivered) as caught:
        mailer(server, certificates).deliver(message(TEXT, Channel.MAIL, to))
    assert caught.value.code == "address"
    assert server.mails == []


@pytest.mark.parametrize("to", ["", "a@example.com\r\nBcc: evil@example.net", "a\0@example.com", "a" * 300])
def test_an_address_that_breaks_out_is_no_message(to: str) -> None:
    with pytest.raises(ValueError, match="control characters"):
        message(to=to)


@pytest.mark.parametrize("break_", ["\r\n", "\n", "\x0b", "\x85", "\u2028", "\u2029"])
def test_a_subject_that_breaks_out_is_no_message(break_: str) -> None:
    with pytest.raises(ValueError, match="control characters"):
        Message(Channel.MAIL, READER, TEXT, f"Hello{break_}Bcc: evil@example.net")


@pytest.mark.parametrize(
    "word",
    ["=?utf-8?q?Hello=0D=0ABcc:evil@example.net?=", "=?utf-8?b?SGVsbG8NCg0KZXZpbA==?=", "=?utf-8?q?Hello=0AEvil:_1?="],
)
@pytest.mark.parametrize("place", ["subject", "to", "sender"])
def test_an_encoded_word_smuggles_no_line(certificates: Certificates, word: str, place: str) -> None:
    subject = word if place == "subject" else "subject"
    to = f"{word}@example.com" if place == "to" else READER
    with SmtpServer(certificates) as server:
        sender = f"{word} <codes@example.com>" if place == "sender" else SENDER
        trusting = ssl.create_default_context(cafile=str(certificates.authority))
        with suppress(NotDelivered, ConfigurationError):
            provider = SmtpMail("localhost", server.port, sender, context=trusting)
            provider.deliver(Message(Channel.MAIL, to, TEXT, subject))
    heads = [mail.content.partition(b"\r\n\r\n")[0].splitlines() for mail in server.mails]
    assert not any(line.lower().startswith((b"bcc", b"evil")) for head in heads for line in head)
    assert all(message_from_bytes(mail.content, policy=default)["Auto-Submitted"] for mail in server.mails)


def test_a_password_does_not_travel_in_clear() -> None:
    with pytest.raises(ConfigurationError, match="TLS"):
        SmtpMail("localhost", 25, SENDER, user="user", password="pw", security=Security.UNSAFE_PLAINTEXT)


@pytest.mark.parametrize(
    "sender",
    [
        "",
        "Example",
        "Example, Inc <codes@example.com>",
        "a@example.com, b@example.com",
        "x <a@example.com>\r\nBcc: b@c",
    ],
)
def test_a_sender_that_is_not_one_address_is_said_at_start(sender: str) -> None:
    with pytest.raises(ConfigurationError, match="one address"):
        SmtpMail("localhost", 25, sender)


def test_a_name_with_a_comma_is_quoted(certificates: Certificates) -> None:
    with SmtpServer(certificates) as server:
        trusting = ssl.create_default_context(cafile=certificates.authority)
        provider = SmtpMail("localhost", server.port, '"Example, Inc" <codes@example.com>', context=trusting)
        provider.deliver(message(TEXT, Channel.MAIL, READER))
    (mail,) = server.mails
    assert "<codes@example.com>" in mail.sender


def test_a_password_that_cannot_be_sent_is_said_at_start() -> None:
    with pytest.raises(ConfigurationError, match="ASCII") as caught:
        SmtpMail("localhost", 587, SENDER, user="user", password="pässword")
    assert "p\xe4ssword" not in str(caught.value)


def test_a_timeout_is_bounded() -> None:
    for timeout in (0, 61):
        with pytest.raises(ConfigurationError, match="at most 60 seconds"):
            SmtpMail("localhost", 25, SENDER, timeout=timeout)


def test_a_text_that_cannot_be_written_certainly_does_not_go_out(certificates: Certificates) -> None:
    with SmtpServer(certificates) as server, pytest.raises(NotDelivered) as caught:
        mailer(server, certificates).deliver(message("half a \ud83d", Channel.MAIL, READER))
    assert caught.value.code == "text"
    assert server.mails == []
