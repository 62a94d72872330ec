"""SMS: text messages over the two request formats that most providers speak."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import ssl
from urllib.parse import urlencode

from authguard.delivery.https import TIMEOUT, Endpoint
from authguard.delivery.message import Message
from authguard.errors import ConfigurationError

_TOKEN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
"""Visible ASCII, with blanks within: anything else would fail each message after its money was spent."""


class FormSms:
    """A form with basic authentication, as Twilio takes it: ``To``, ``From`` and ``Body``.

    For Twilio, ``url`` is ``https://api.twilio.com/2010-04-01/Accounts/<SID>/Messages.json``, ``user`` the account's or
    the API key's SID, ``password`` its secret. Raises ``ConfigurationError`` as :class:`Endpoint` does, and for a user
    with a colon.
    """

    def __init__(
        self,
        url: str,
        user: str,
        password: str,
        sender: str,
        *,
        timeout: float = TIMEOUT,
        context: ssl.SSLContext | None = None,
    ) -> None:
        if ":" in user:
            raise ConfigurationError(
                "the provider's user holds a colon, at which basic authentication ends it (RFC 7617)"
            )
        self._endpoint = Endpoint(url, timeout, context)
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {
            "Authorization": f"Basic {credentials}",
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "application/json",
        }
        self._sender = sender

    def deliver(self, message: Message) -> None:
        """See :class:`~authguard.delivery.deliver.Deliver`."""
        fields = {"To": message.to, "From": self._sender, "Body": message.text}
        self._endpoint.post(urlencode(fields, errors="replace").encode(), self._headers)


class JsonSms:
    """JSON with a bearer token, as Telnyx takes it: ``to``, ``from`` and ``text``.

    For Telnyx, ``url`` is ``https://api.telnyx.com/v2/messages`` and ``token`` the API key. The message's key goes
    along as ``Idempotency-Key``, hashed with the number, for those who honour it. Raises ``ConfigurationError`` as
    :class:`Endpoint` does, and for a token that no header can hold.
    """

    def __init__(
        self, url: str, token: str, sender: str, *, timeout: float = TIMEOUT, context: ssl.SSLContext | None = None
    ) -> None:
        if not _TOKEN.fullmatch(token):
            raise ConfigurationError(
                "the provider's token is empty or no header can hold it; has it a line break at its end?"
            )
        self._endpoint = Endpoint(url, timeout, context)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        }
        self._sender = sender

    def deliver(self, message: Message) -> None:
        """See :class:`~authguard.delivery.deliver.Deliver`."""
        fields = {"to": message.to, "from": self._sender, "text": message.text}
        headers = {**self._headers, "Idempotency-Key": _key_of(message)} if message.key else self._headers
        self._endpoint.post(json.dumps(fields).encode(), headers)


def _key_of(message: Message) -> str:
    """Return a key of the whole account with the provider; the message's own is one destination's, as in a ledger.

    Else two numbers with one key would be one message there, and the second would be paid for and never leave.
    """
    return hashlib.sha256(f"{message.to} {message.key}".encode("utf-8", "surrogatepass")).hexdigest()
