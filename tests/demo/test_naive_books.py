"""The naive books: each makes its one mistake, and the one they are made from makes none of theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from authguard.delivery import Withheld
from authguard.spend import CHANNELS, Channel, Kind, budget
from demo_app.naive.closing_book import MOST, ClosingBook
from demo_app.naive.hand_book import HandBook
from demo_app.naive.hourly_book import HourlyBook
from demo_app.naive.late_book import LateBook
from demo_app.naive.telling_cap import CountingBook

CAPPED = {**CHANNELS, "sms": Channel("sms", Kind.PHONE, caps={"hour": budget("2/1h")})}


def send(book: HandBook, to: str = "+1", key: str = "a key") -> None:
    """Send a message."""
    entry = book.reserve("sms", to, key, device=False)
    assert entry.dispatch()
    entry.commit()


def test_the_hand_written_book_keeps_the_cap_and_nothing_else(tmp_path: Path) -> None:
    book = HandBook(tmp_path / "book", CAPPED)
    book.reserve("sms", "+1", "a key", device=False).release()
    send(book)
    send(book)
    assert book.is_spent("sms", True)
    with pytest.raises(Withheld):
        send(book)
    assert not book.is_spent("mail", False)


@pytest.mark.parametrize(("kind", "started"), [(HandBook, 3600.0), (HourlyBook, 7200.0)])
def test_only_the_hourly_book_starts_with_the_clock(tmp_path: Path, kind: type[HandBook], started: float) -> None:
    assert kind(tmp_path / "book", CAPPED).start(7200.0, 3600.0) == started


@pytest.mark.parametrize(("kind", "spent"), [(HandBook, True), (LateBook, False)])
def test_only_the_late_book_leaves_open_what_is_under_way(tmp_path: Path, kind: type[HandBook], spent: bool) -> None:
    book = kind(tmp_path / "book", CAPPED)
    entries = [book.reserve("sms", "+1", "a key", device=False) for _ in range(2)]
    assert book.is_spent("sms", False) is spent
    for entry in entries:
        entry.commit()
    assert book.is_spent("sms", False)


def test_the_closing_book_closes_a_country_to_everybody(tmp_path: Path) -> None:
    book = ClosingBook(tmp_path / "book", CHANNELS)
    for number in range(MOST + 1):
        send(book, f"+1{number}")
    with pytest.raises(Withheld):
        book.reserve("sms", "+12015550123", "a key", device=True)
    send(book, "+44")
    book.verified("sms", "+10", "a key")
    send(book, "+12015550123")


def test_the_counting_book_keeps_each_phone_to_its_share(tmp_path: Path) -> None:
    book = CountingBook(tmp_path / "book", CHANNELS)
    for _ in range(5):
        send(book)
    with pytest.raises(Withheld):
        send(book)
    send(book, "+2")
