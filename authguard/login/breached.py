"""Breached passwords: whether a new password stands in a public list, asked without giving the password away."""

from __future__ import annotations

import hashlib
import re
import time
import urllib.request
from collections.abc import Callable
from enum import StrEnum
from http.client import HTTPException
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from authguard.errors import AuthGuardError, ConfigurationError, Overloaded, PasswordError
from authguard.login.slots import LONGEST_WAIT, Lane, Slots

PREFIX = 5
"""Hexadecimal digits of the SHA-1 that a range shares, and all that leaves the process."""
_LINE = re.compile(r"([0-9A-Fa-f]{35}):([0-9]{1,12})", re.ASCII)
_MOST_BYTES = 1024**2
_WAIT = 1.0
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class RangeUnavailable(AuthGuardError):
    """A source could not give the range asked for."""


class RangeSource(Protocol):
    """A list of breached passwords, cut into ranges of hashes with the same first five digits."""

    def read(self, prefix: str) -> str:
        """Return the range ``prefix`` (five upper-case hex digits): lines ``SUFFIX:COUNT``, 35 hex digits and a number.

        Raises :class:`RangeUnavailable`, and nothing else, when it can't.
        """
        ...


class RangeFiles:
    """Ranges as files ``ABCDE.txt`` in a folder: the form in which the Pwned Passwords downloader saves them."""

    def __init__(self, folder: str | Path) -> None:
        """Raise ``ConfigurationError`` unless ``folder`` is one."""
        self._folder = Path(folder)
        if not self._folder.is_dir():
            raise ConfigurationError(f"{folder} is no folder; give the one that holds the range files (00000.txt, …).")

    def read(self, prefix: str) -> str:
        """Return the file's text; an absent file is a gap in the list, not a clean range."""
        try:
            with (self._folder / f"{prefix}.txt").open("rb") as file:
                return _decode(file.read(_MOST_BYTES + 1))
        except OSError as error:
            raise RangeUnavailable("file") from error


class _RefuseRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        """Follow none: the answer must come from the host that was configured, over its scheme."""


_OPENER = urllib.request.build_opener(_RefuseRedirects)


class RangeApi:
    """Ranges over HTTPS, as the Pwned Passwords API serves them."""

    def __init__(self, url: str = "https://api.pwnedpasswords.com/range/", *, timeout: float = 1.0) -> None:
        """Take the ``url`` before the prefix and the seconds that an answer may take.

        Raises ``ConfigurationError`` for anything but HTTPS (or HTTP on loopback), and a timeout not within 0 to 5.
        """
        parts = urlsplit(url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise ConfigurationError("the breached-password API must be asked over https; change its url.")
        if not 0 < timeout <= LONGEST_WAIT:
            raise ConfigurationError("the breached-password API's timeout must be over 0 and at most 5 seconds.")
        self._url = url
        self._timeout = timeout

    def read(self, prefix: str) -> str:
        """Return the answer; padding hides from onlookers how long the range is."""
        headers = {"Add-Padding": "true", "User-Agent": "authguard"}
        request = urllib.request.Request(self._url + prefix, headers=headers)  # noqa: S310 - the constructor saw to it
        deadline = time.monotonic() + self._timeout
        try:
            with _OPENER.open(request, timeout=self._timeout) as answer:
                body = b""
                while len(body) <= _MOST_BYTES and (piece := answer.read1()):
                    body += piece
                    if time.monotonic() > deadline:
                        raise RangeUnavailable("slow")
        except (OSError, HTTPException, ValueError) as error:
            raise RangeUnavailable("http") from error
        return _decode(body)


class OnRangeFailure(StrEnum):
    """What happens to a new password when the list can't be asked."""

    REFUSE = "refuse"
    """503: nobody chooses a password until the list answers again."""

    ADMIT = "admit"
    """The password is taken unchecked, and the failure reported."""


class BreachCheck:
    """Refuses new passwords that stand in a breached list."""

    def __init__(
        self,
        source: RangeSource,
        *,
        on_error: OnRangeFailure,
        least: int = 1,
        at_once: int = 4,
        report: Callable[[str], None] = lambda code: None,
    ) -> None:
        """Refuse passwords seen ``least`` times or more, asking ``source`` at most ``at_once`` at a time.

        ``report`` is called with a failure's code (``"breach_list_file"``, ``"breach_list_http"``,
        ``"breach_list_slow"``, ``"breach_list_malformed"``, ``"breach_list_busy"``), whatever ``on_error`` says.
        """
        if least < 1:
            raise ConfigurationError("a breached password is one seen at least once; set least to 1 or more.")
        self._source = source
        self._on_error = on_error
        self._least = least
        self._slots = Slots(at_once, waiters=at_once, wait=_WAIT)
        self._report = report

    def refuse_breached(self, password: str, *, client: str | None = None, lane: Lane = Lane.STRANGERS) -> None:
        """Raise ``PasswordError("breached")`` if ``password`` is in the list, ``Overloaded`` if nobody can say.

        ``client`` and ``lane`` as in :meth:`authguard.login.slots.Slots.hold`.
        """
        digest = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
        try:
            with self._slots.hold(client, lane):
                seen = _count(self._source.read(digest[:PREFIX]), digest[PREFIX:])
        except RangeUnavailable as error:
            self._fail(f"breach_list_{error}")
            return
        except Overloaded:
            self._fail("breach_list_busy")
            return
        if seen >= self._least:
            raise PasswordError("breached")

    def _fail(self, code: str) -> None:
        self._report(code)
        if self._on_error is not OnRangeFailure.ADMIT:
            raise Overloaded("breach_list", retry_after=5)


def _decode(body: bytes) -> str:
    if len(body) > _MOST_BYTES or not body.isascii():
        raise RangeUnavailable("malformed")
    return body.decode("ascii")


def _count(text: str, suffix: str) -> int:
    """Return how often ``suffix`` was seen; a real range is never empty and holds nothing but such lines."""
    matches = [_LINE.fullmatch(line) for line in text.split()]
    found = {match[1].upper(): int(match[2]) for match in matches if match}
    if not matches or None in matches:
        raise RangeUnavailable("malformed")
    return found.get(suffix, 0)
