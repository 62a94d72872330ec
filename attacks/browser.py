"""Browser: asks for codes and enters them, and keeps its cookies; and the mailboxes that the codes arrive in."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from attacks.client import Answer, Broken, Client, write_cookies
from attacks.target import Target

ARRIVAL = 8.0
"""Seconds that a message may take."""
POLL = 0.05
QUIET = 0.8
"""Seconds after which no message is under way any more."""
LOGIN, RESET = "/code-login", "/forgot"


class NoCode(Broken):
    """A message has a link alone: its reader can guess no more, and still get in."""


@dataclass(slots=True)
class Browser:
    """Somebody's browser at an address."""

    client: Client
    cookies: dict[str, str] = field(default_factory=dict)

    def post(self, path: str, fields: Mapping[str, object]) -> Answer:
        """Send ``fields`` and keep what cookies come back."""
        headers = write_cookies(self.cookies) if self.cookies else None
        answer = self.client.insist("POST", path, fields, headers)
        self.cookies.update(answer.cookies)
        return answer

    def request(self, identifier: str, path: str = LOGIN) -> Answer:
        """Ask for a code at ``path``."""
        return self.post(path, {"identifier": identifier})

    def ask(self, identifier: str, path: str = LOGIN) -> str:
        """Ask for a code and return the token for its form; raises ``Broken`` where the demo refuses."""
        answer = self.request(identifier, path)
        if not answer.right:
            raise Broken(f"a code was refused with {answer.status}")
        return str(answer.document["token"])

    def enter(self, identifier: str, token: str, code: object) -> Answer:
        """Enter a code to log in."""
        return self.post("/code-login/enter", {"identifier": identifier, "token": token, "code": code})


@dataclass(frozen=True, slots=True)
class Mailbox:
    """What arrives at ``contact``."""

    target: Target
    contact: str

    def texts(self) -> list[str]:
        """Return the messages so far, newest first."""
        path = f"/outbox?{urlencode({'recipient': self.contact})}"
        messages = self.target.client("198.51.100.250").insist("GET", path).document["messages"]
        return [message["text"] for message in messages]

    def next_text(self, before: int) -> str:
        """Return the newest message once there are more than ``before``; raises ``Broken`` where none comes."""
        until = time.monotonic() + ARRIVAL
        while len(texts := self.texts()) <= before:
            if time.monotonic() > until:
                raise Broken("no message arrived")
            time.sleep(POLL)
        return texts[0]

    def count(self) -> int:
        """Return how many messages there are once none is under way."""
        time.sleep(QUIET)
        return len(self.texts())


def read_code(text: str) -> str:
    """Return the code in a message."""
    found = re.search(r"\b[0-9]{6}\b", text)
    if found is None:
        raise NoCode("a message has no code")
    return found[0]


def read_link(text: str) -> str:
    """Return the path of the link in a message."""
    found = re.search(r"/continue/[\w=.-]+", text)
    if found is None:
        raise Broken("a message has no link")
    return found[0]


def wrong(code: str, number: int) -> str:
    """Return the ``number``-th code that is not ``code``."""
    return f"{(int(code) + 1 + number) % 1_000_000:06}"


@dataclass(frozen=True, slots=True)
class Asked:
    """A code that was asked for and has arrived."""

    token: str
    code: str
    text: str


def ask_and_read(browser: Browser, target: Target, identifier: str, contact: str, path: str = LOGIN) -> Asked:
    """Ask for a code and read it in the mailbox."""
    mailbox = Mailbox(target, contact)
    before = len(mailbox.texts())
    token = browser.ask(identifier, path)
    text = mailbox.next_text(before)
    return Asked(token, read_code(text), text)
