"""Delivery: hands authguard's messages to the outbox, or to an SMS provider, from whatever thread they leave on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from flask import Flask

from authguard.delivery import Deliver, Message
from authguard.delivery.sms import JsonSms
from demo_app.contact import Channel, Contact
from demo_app.database import open_database
from demo_app.naive.sure_delivery import DELIVERY
from demo_app.outbox import put

PATIENCE = 2.0
"""Seconds that the provider may take."""


class OutboxDelivery:
    """Puts each message into the outbox of the database at ``path``."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def deliver(self, message: Message) -> None:
        """Store ``message``."""
        with closing(open_database(self._path)) as connection:
            put(connection, Contact(Channel(message.channel), message.to), message.text)


def deliver_texts(app: Flask) -> Deliver:
    """Return the way of the text messages of ``app``: its provider, where it has one."""
    url = app.config["DEMO_PROVIDER"]
    if url is None:
        return OutboxDelivery(app.config["DEMO_DATABASE"])
    provider = JsonSms(url, "no secret", "Lantern", timeout=PATIENCE)
    between: Callable[[Deliver], Deliver] | None = app.config.get(DELIVERY)
    return between(provider) if between is not None else provider
