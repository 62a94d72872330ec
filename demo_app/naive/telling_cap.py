"""Telling cap: messages are paid and sent where there is somebody to get one, and whatever goes wrong then is told."""

from __future__ import annotations

import sqlite3
from typing import cast

from flask import Flask
from werkzeug.exceptions import ServiceUnavailable

from authguard.delivery import Channel, Deliver, Message
from demo_app.codes import use_codes
from demo_app.contact import Contact
from demo_app.delivery import deliver_texts
from demo_app.gate import Defenses
from demo_app.naive.codes import HandCodes
from demo_app.naive.hand_book import BOOK, HandBook, open_book


class CountingBook(HandBook):
    """Keeps an eye on what each phone gets, too."""

    def stopped(self, connection: sqlite3.Connection, channel: str, to: str, now: float) -> bool:
        """Return whether ``to`` has had its share of the day."""
        limit = self.channels[channel].destination
        query = "SELECT count(*) FROM spent WHERE channel = ? AND recipient = ?"
        return limit is not None and connection.execute(query, (channel, to)).fetchone()[0] >= limit.amount


COUNTING = {BOOK: CountingBook}


class TellingCodes(HandCodes):
    """Asks the book and the provider before it answers."""

    def __init__(self, book: HandBook, texts: Deliver) -> None:
        self._book = book
        self._texts = texts

    def hand_over(self, contact: Contact, text: str) -> None:
        """Send a text message now, or say that it can't be sent."""
        channel = Channel(contact.channel)
        try:
            self._book.reserve(channel, contact.address, "", device=False)
            self._texts.deliver(Message(channel, contact.address, text))
        except Exception:  # noqa: BLE001 - whatever it is, the client is told to come back
            raise ServiceUnavailable from None


def tell_spent_cap(app: Flask, defenses: Defenses) -> Defenses:
    """Replace the look at what is left, which comes before the one at accounts, and the sender in the background."""
    use_codes(app, TellingCodes(cast(HandBook, open_book(app)), deliver_texts(app)))
    return defenses
