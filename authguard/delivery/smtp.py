"""SMTP: mail through the standard library, over TLS."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.errors import HeaderParseError, MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP as WIRE
from email.utils import formatdate, make_msgid
from enum import StrEnum
from socket import socket
from typing import cast

from authguard.delivery.deadline import Deadline, check_timeout
from authguard.delivery.deliver import NotDelivered
from authguard.delivery.message import Message
from authguard.delivery.wire import Wire, check_context, connect
from authguard.errors import ConfigurationError

TIMEOUT = 10.0
"""Seconds that each step of the conversation may take."""
STEPS = 3
"""How many such times the whole conversation may take."""
GOODBYE = 1.0
"""Seconds for the server's goodbye: it has taken the mail by then, and whoever sent it wants to know."""

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
    system. Raises ``ConfigurationError`` for credentials that would travel in clear text or aren't ASCII, a context
    that trusts any server, a sender that isn't one address, and a timeout that is not within 0 to 60 seconds.
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
        if not (user + password).isascii():
            raise ConfigurationError("a mail server's user and password must be ASCII, as smtplib sends no others")
        self._place = host, port
        self._sender, self._domain = sender, _read_domain(sender)
        self._login = user, password
        self._security = security
        self._context = check_context(context)
        self._timeout = check_timeout(timeout)
        self._name: str | None = None

    def deliver(self, message: Message) -> None:
        """See :class:`~authguard.delivery.deliver.Deliver`."""
        mail = self._compose(message)
        deadline = Deadline(STEPS * self._timeout)
        with self._connection(deadline) as server:
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
            deadline.shorten(GOODBYE)
            _leave(server)

    def _connect(self, deadline: Deadline) -> smtplib.SMTP:
        tls = self._context if self._security is Security.TLS else None
        server = _Wired(*self._place, self._name, self._timeout, deadline, tls)
        self._name = server.local_hostname
        try:
            if self._security is Security.STARTTLS:
                server.starttls(context=cast(ssl.SSLContext, _Upgrade(self._context)))
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
        mail["Message-ID"] = make_msgid(domain=self._domain)
        # Nobody is away from a code (RFC 3834, 5).
        mail["Auto-Submitted"] = "auto-generated"
        try:
            mail.set_content(message.text)
        except UnicodeError:
            raise NotDelivered("text") from None
        if not _is_whole(mail):
            raise NotDelivered("header")
        return mail


def _read_domain(sender: str) -> str:
    """Return the domain of the one address in ``sender``; raises ``ConfigurationError``."""
    mail = EmailMessage(WIRE)
    try:
        mail["From"] = sender
        (address,) = mail["From"].addresses
    except (ValueError, IndexError, HeaderParseError):
        address = None
    if address is None or not (address.username and address.domain) or mail["From"].defects or not _is_whole(mail):
        raise ConfigurationError(
            "a mail's sender is one address, such as 'Example <codes@example.com>'; a name with a comma needs quotes"
        )
    return str(address.domain)


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


class _Wired(smtplib.SMTP):
    """A conversation with a deadline, within ``tls`` from the first byte where it is given.

    ``name`` is this machine's, which takes a look into the DNS where it is not known.
    """

    def __init__(
        self, host: str, port: int, name: str | None, timeout: float, deadline: Deadline, tls: ssl.SSLContext | None
    ) -> None:
        self._deadline, self._tls = deadline, tls
        super().__init__(host, port, name, timeout=timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket:
        """Return the connection; the standard library's own subclass replaces this, too."""
        wire = Wire(connect(host, port, timeout), self._deadline, timeout)
        if self._tls is not None:
            try:
                wire = wire.secure(self._tls, host)
            except BaseException:
                wire.close()
                raise
        return cast(socket, wire)


class _Upgrade:
    """A context as ``starttls`` asks for one, which takes the wire along."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._context = context

    def wrap_socket(self, wire: Wire, server_hostname: str) -> Wire:
        return wire.secure(self._context, server_hostname)


def _leave(server: smtplib.SMTP) -> None:
    """Say goodbye; the message is through or not by now, whatever the answer."""
    try:
        server.quit()
    except (OSError, smtplib.SMTPException):
        server.close()
