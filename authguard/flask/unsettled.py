"""Unsettled: views that find a password right and leave without a word, so that logins count as failures."""

from __future__ import annotations

from authguard.events import Misconfigured, Observer

CODE = "unsettled_success"
ADVICE = (
    "A password was right and the block of guard.attempt() was left without a word, which is a failure: say "
    "attempt.succeed(), or attempt.partial() where another factor is still to come, or attempt.fail() if it is meant."
)


class Unsettled:
    """Tells ``observer`` of every such login, and the log of the first one in a process."""

    __slots__ = ("_news", "_observer")

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self._news = True

    def tell(self) -> None:
        """Say that it happened."""
        news, self._news = self._news, False
        self._observer.observe(Misconfigured(CODE, ADVICE, news))
