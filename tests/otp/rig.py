"""A whole system of codes over a real store: what a person in a browser does, and what arrives in the mailboxes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from authguard.clock import ManualClock
from authguard.delivery import Channel, Free, Route, Sender, Spending
from authguard.guard import Guard
from authguard.guard.guard import Watch
from authguard.guard.seal import Seal
from authguard.identity import Pseudonymizer
from authguard.limits import Outcome
from authguard.otp import (
    Binding,
    Checked,
    Checking,
    CodeRules,
    Direct,
    EnglishWording,
    Followed,
    Following,
    Foundation,
    Guess,
    Ladders,
    Letters,
    LinkTemplate,
    Sending,
    Sent,
)
from authguard.otp.destination import channel_for
from authguard.policy import PRESETS, Planner, Policy, Scope, Subject
from authguard.stores.base import Store
from authguard.stores.memory import MemoryStore
from authguard.stores.resilient import ResilientStore
from tests.delivery.providers import Inbox, Recorder

SECRET, OTHER_SECRET = b"s" * 32, b"t" * 32
OWNER = "owner@example.com"


@dataclass(frozen=True)
class Person:
    """Somebody in a browser; ``known`` makes it a known device."""

    to: str = OWNER
    account: str | None = "42"
    deliver: str | None = OWNER
    ip: str = "192.0.2.1"
    browser: str = "b" * 32
    purpose: str = "login"
    known: bool = False
    more: Mapping[Scope, str] = field(default_factory=dict)

    @property
    def binding(self) -> Binding:
        return Binding(self.purpose, self.to, self.account, self.deliver, self.browser)

    @property
    def subject(self) -> Subject:
        subnet = self.ip.rsplit(".", 1)[0] + ".0/24"
        kind = "email" if "@" in self.to else "phone"
        values = {
            Scope.ID: f"{kind}:{self.to.strip().lower()}",
            Scope.AUTHENTICATOR: f"account:{self.account}" if self.account else f"{kind}:{self.to}",
            Scope.IP: f"{self.ip}/32",
            Scope.SUBNET: subnet,
            Scope.SITE: subnet,
            Scope.DEVICE: "d1",
            **self.more,
        }
        return Subject(values, "d1" if self.known else f"{self.ip}/32", self.to, self.known)

    def but(self, **changes: Any) -> Person:
        return replace(self, **changes)


class Rig:
    """Codes over ``store``; every message lands in ``inbox`` at once."""

    def __init__(
        self,
        store: Store | None = None,
        advance: Callable[[int], None] | None = None,
        policies: Mapping[str, Policy] = PRESETS,
        rules: CodeRules | None = None,
        secrets: tuple[bytes, ...] = (SECRET,),
        inbox: Inbox | None = None,
        spending: Spending | None = None,
        region: str | None = None,
        *,
        watch: Watch | None = None,
    ) -> None:
        clock = ManualClock()
        self.advance = advance or clock.advance
        self.store = MemoryStore(clock) if store is None else store
        self.inbox = inbox or Inbox()
        self.recorder = Recorder()
        self.rules = rules or CodeRules()
        pseudonymizer = Pseudonymizer(secrets[0], app="test", previous=secrets[1:])
        planner = Planner(pseudonymizer)
        resilient = ResilientStore(self.store, "test", self.recorder)
        self.foundation = Foundation(
            Guard(policies, resilient, planner, self.recorder, watch=watch),
            resilient,
            pseudonymizer,
            Seal(secrets, app="test", purpose="otp"),
            Seal(secrets, app="test", purpose="otp-link"),
            Ladders(planner, policies["message"]),
            self.rules,
            self.recorder,
            spending or Free(),
            region=region,
        )
        route = Route(self.inbox)
        self.sender = Sender({Channel.MAIL: route, Channel.SMS: route}, self.recorder, spending, threads=1)
        links = LinkTemplate("https://example.com/continue/{token}")
        letters = Letters(self.foundation, EnglishWording("Example", {"login": "log in"}), links)
        digits = policies["otp-verify"].digits
        self.sending = Sending(self.foundation, self.sender, letters, digits)
        self.checking = Checking(self.foundation, digits)
        self.following = Following(self.foundation)

    def ask(self, person: Person, earlier: str | None = None, policy: str = "otp-send") -> Sent:
        """Ask for a code and wait until whatever that sends has been sent."""
        channel = channel_for(person.to, self.sender.channels, self.foundation.region)
        sent = self.sending.send(
            policy, person.binding, Direct(self.foundation.guard, person.subject), channel, earlier
        )
        assert self.sender.drain(20)
        return sent

    def check(self, person: Person, token: object, code: object, outcome: Outcome = Outcome.SUCCESS) -> Checked:
        return self.checking.check(
            Guess("otp-verify", person.binding, Direct(self.foundation.guard, person.subject), token, code, outcome)
        )

    def right(self, person: Person, token: object, code: object) -> bool:
        """Return whether the code was right; it must not have been refused."""
        checked = self.check(person, token, code)
        assert checked.refused is None
        return checked.right

    def follow(self, person: Person, link: object) -> Followed:
        return self.following.follow(person.purpose, link, person.deliver, person.subject)

    def code(self, number: int = -1) -> str:
        """Return the code in a message."""
        found = re.search(r"\b[0-9]{6,12}\b", self.inbox.messages[number].text)
        assert found
        return found[0]

    def link(self, number: int = -1) -> str:
        """Return the token in a message's link."""
        found = re.search(r"https://example\.com/continue/([A-Za-z0-9_-]+)\s", self.inbox.messages[number].text + "\n")
        assert found
        return found[1]

    def wrong(self, number: int = 0) -> str:
        """Return a code that is not the last one sent, another one for each ``number``."""
        code = (int(self.code()) + 1 + number) % 1_000_000
        return f"{code:06d}"

    def results(self) -> list[str]:
        """Return how codes and links fared, as the operator sees it."""
        return [event.result for event in self.recorder.events if hasattr(event, "result")]

    def close(self) -> None:
        self.sender.close()
        self.store.close()
