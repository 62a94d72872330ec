"""SMTP: mail through the standard library, over TLS."""

from __future__ import annotations

import re
import smtplib
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.errors import HeaderParseError, MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as WIRE
from email.utils import formatdate, make_msgid
from enum import StrEnum

from authguard.delivery.deadline import Deadline
from authguard.delivery.deliver import NotDelivered
from authguard.delivery.message import Message
from authguard.errors import ConfigurationError

TIMEOUT = 10.0
"""Seconds that each step of the conversation may take."""
STEPS = 3
"""How many such times the whole conversation may take."""

_REFUSALS = (
    smtplib.SMTPRecipientsRefused,
    smtplib.SMTPSenderRefused,
    smtplib.SMTPDataError,
    smtplib.SMTPHeloError,
    smtplib.SMTPNotSupportedError,
)
"""Answers of the server, each of them a no (RFC 5321, 4.2.1); a connection that breaks is not among them."""


class Security(StrEnum):
    """How the conversation with the mail server is protected."""

    STARTTLS = "starttls"
    """TLS after the greeting, or no mail (submission, port 587)."""

    TLS = "tls"
    """TLS from the first byte (RFC 8314, port 465)."""

    UNSAFE_PLAINTEXT = "unsafe_plaintext"
    """None: whoever is on the way reads the codes. For a mail server on the same machine."""


class SmtpMail:
    """Mail through one server; a connection of its own for each message.

    ``sender`` is what stands in ``From``. ``context`` decides which certificates are trusted, by default those of the
    system. Raises ``ConfigurationError`` for credentials that would travel in clear text.
    """

    def __init__(
        self,
        host: str,
        port: int,
        sender: str,
        *,
        user: str = "",
        password: str = "",
        security: Security = Security.STARTTLS,
        context: ssl.SSLContext | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        if user and security is Security.UNSAFE_PLAINTEXT:
            raise ConfigurationError("a mail server without TLS gets no password; set security to starttls or tls")
        self._place = host, port
        self._sender = sender
        self._login = user, password
        self._security = security
        self._context = context
        self._timeout = timeout

    def deliver(self, message: Message) -> None:
        """See :class:`~authguard.delivery.deliver.Deliver`."""
        mail = self._compose(message)
        with Deadline(STEPS * self._timeout) as deadline, self._connection(deadline) as server:
            try:
                server.send_message(mail)
            except _REFUSALS:
                raise NotDelivered("refused") from None

    @contextmanager
    def _connection(self, deadline: Deadline) -> Iterator[smtplib.SMTP]:
        """Give a server that has been greeted; nothing has been handed over while that goes wrong."""
        try:
            server = self._connect(deadline)
        except (OSError, smtplib.SMTPException):
            raise NotDelivered("unreachable") from None
        try:
            yield server
        finally:
            _leave(server)

    def _connect(self, deadline: Deadline) -> smtplib.SMTP:
        context = self._context or ssl.create_default_context()
        tls = context if self._security is Security.TLS else None
        server = _Watched(*self._place, self._timeout, deadline, tls)
        try:
            if self._security is Security.STARTTLS:
                server.starttls(context=context)
            if self._login[0]:
                server.login(*self._login)
            server.ehlo_or_helo_if_needed()
        except BaseException:
            server.close()
            raise
        return server

    def _compose(self, message: Message) -> EmailMessage:
        mail = EmailMessage(WIRE)
        try:
            mail["From"], mail["Subject"] = self._sender, message.subject
            # One address and no list: a comma must not add a reader.
            mail["To"] = Address(addr_spec=message.to)
        except (ValueError, IndexError, HeaderParseError):  # the parser's ways to say that this is no address
            raise NotDelivered("address") from None
        mail["Date"] = formatdate()
        mail["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2].strip("> ") or None)
        # Nobody is away from a code (RFC 3834, 5).
        mail["Auto-Submitted"] = "auto-generated"
        mail.set_content(message.text)
        if not _is_whole(mail):
            raise NotDelivered("header")
        return mail


def _is_whole(mail: EmailMessage) -> bool:
    """Return whether the header lines on the wire are those that were set.

    Encoded words (RFC 2047) that spell a line break would add others: the standard library decodes them and, before
    CVE-2024-6923 was fixed, wrote the break as it was. Since then it raises.
    """
    try:
        head = mail.as_bytes().partition(b"\r\n\r\n")[0]
    except MessageError:
        return False
    lines = re.split(rb"\r\n|\r|\n", head)
    names = [line.partition(b":")[0].decode("ascii", "replace") for line in lines if line[:1] not in (b" ", b"\t")]
    return names == mail.keys()


class _Watched(smtplib.SMTP):
    """A conversation under a deadline, within ``tls`` from the first byte where it is given."""

    def __init__(self, host: str, port: int, timeout: float, deadline: Deadline, tls: ssl.SSLContext | None) -> None:
        self._deadline, self._tls = deadline, tls
        super().__init__(host, port, timeout=timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        """Return the connection; the standard library's own subclass replaces this, too."""
        plain = self._deadline.watch(socket.create_connection((host, port), timeout))
        return plain if self._tls is None else self._tls.wrap_socket(plain, server_hostname=host)


def _leave(server: smtplib.SMTP) -> None:
    """Say goodbye; the message is through or not by now, whatever the answer."""
    try:
        server.quit()
    except (OSError, smtplib.SMTPException):
        server.close()
