"""Following: the link in a message lets its reader go on in the browser that opened it, once, whatever others did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from authguard.errors import StoreError, TokenError
from authguard.guard import Answerable
from authguard.limits import Plan
from authguard.otp.binding import is_one_of
from authguard.otp.counters import gates_after, win_of
from authguard.otp.foundation import BUSY, Foundation
from authguard.otp.letters import about_tags
from authguard.otp.token import Link
from authguard.policy import FailMode, Subject


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom a link speaks for: an account by its id, or the address that was typed where there was no account."""

    account: str | None = field(default=None, repr=False)
    to: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Followed:
    """``reader`` is set where the link was good, and nothing says why it was not. ``refused``: nobody can tell now.

    ``at`` is the store's time at which a good one was used up, in microseconds.
    """

    reader: Reader | None = None
    at: int = 0
    refused: Answerable | None = None


class Following:
    """Follows links. They can't be guessed, so no budget counts them and no ladder delays them."""

    def __init__(self, foundation: Foundation) -> None:
        self._foundation = foundation

    def read(self, token: object) -> Reader | None:
        """Return whom the link speaks for, to show a button for it; consumes nothing, so that a mail scanner may look.

        That it has been used already shows when the button is pressed.
        """
        opened = self._open(token)
        return None if opened is None else _reader(opened.link)

    def follow(self, purpose: str, token: object, deliver: str | None, subject: Subject) -> Followed:
        """Use the link up and return whom it speaks for.

        ``deliver`` is where a message to that reader would go today: a mailbox given up yesterday proves nothing.
        ``subject`` is who follows it: its ladders end, and the destination's.
        """
        opened = self._open(token)
        if opened is None or not self._is_about(opened.link, purpose, deliver):
            return self._bad(purpose)
        link, rules = opened.link, self._foundation.rules
        plan = Plan((win_of(link.challenge, rules), *gates_after(link.challenge, link.version, rules)))
        try:
            decision = self._foundation.store.decide(plan, FailMode.CLOSED).decision
        except StoreError:
            return Followed(refused=BUSY)
        if decision is not None and not self._is_fresh(opened, decision.reply.now):
            return self._bad(purpose)
        if decision is None or not decision.allowed:
            self._foundation.tell(purpose, "used_link")
            return Followed()
        self._foundation.welcome(subject, deliver, link.challenge, link.version)
        self._foundation.tell(purpose, "link")
        return Followed(_reader(link), decision.reply.now)

    def _is_about(self, link: Link, purpose: str, deliver: str | None) -> bool:
        return is_one_of(link.about, about_tags(self._foundation, purpose, link.has_account, link.reader, deliver))

    def _open(self, token: object) -> _Opened | None:
        """Return the link in ``token`` if it is not too old by the store's time, as well as that can be told now."""
        try:
            sealed = self._foundation.links.open(token if isinstance(token, str) else "")
            opened = _Opened(Link.unpack(sealed.payload), sealed.at)
        except TokenError:
            return None
        return opened if self._is_fresh(opened, self._foundation.store.now()) else None

    def _is_fresh(self, opened: _Opened, now: int) -> bool:
        return now < opened.at + self._foundation.rules.link_ttl

    def _bad(self, purpose: str) -> Followed:
        self._foundation.tell(purpose, "bad_link")
        return Followed()


class _Opened(NamedTuple):
    """A link, and when it was written."""

    link: Link
    at: int


def _reader(link: Link) -> Reader:
    return Reader(account=link.reader) if link.has_account else Reader(to=link.reader)
