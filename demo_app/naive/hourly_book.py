"""Hourly book: windows start on the clock and begin empty."""

from __future__ import annotations

from demo_app.naive.hand_book import BOOK, HandBook


class HourlyBook(HandBook):
    """Counts what was spent since the hour struck."""

    def start(self, now: float, period: float) -> float:
        """Return when the clock's window began."""
        return now // period * period


HOURLY = {BOOK: HourlyBook}
