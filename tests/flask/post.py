"""Post: a site that sends codes, and what a reader of its messages does with them."""

from __future__ import annotations

import re
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from flask import Flask, abort, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from authguard.events import Event
from authguard.flask import AuthGuard, Messages, read_fields
from tests.delivery.providers import Inbox

ACCOUNTS = {"owner@example.com": "1", "other@example.com": "2", "alias@example.com": "1"}


OWNER, ALIAS = "owner@example.com", "alias@example.com"


class Post:
    """A site at ``/send``, ``/verify`` and ``/continue``, with an inbox for all its mail."""

    def __init__(self, folder: Path, resolver: bool = False, **config: Any) -> None:
        self.app = Flask("site", instance_path=str(folder))
        self.app.config.update(SECRET_KEY="k" * 40, **config)
        self.inbox = Inbox()
        self.events: list[Event] = []
        self.guard = AuthGuard(
            self.app,
            observers=[self],
            resolver=ACCOUNTS.get if resolver else None,
            messages=Messages("https://example.com/continue/{token}", mail=self.inbox, sms=self.inbox),
        )
        self.app.add_url_rule("/send", view_func=self.send, methods=["POST"])
        self.app.add_url_rule("/verify", view_func=self.verify, methods=["POST"])
        self.app.add_url_rule("/continue/<token>", view_func=self.go_on, methods=["GET", "POST"])

    def observe(self, event: Event) -> None:
        self.events.append(event)

    def send(self) -> dict[str, Any]:
        fields = read_fields("email", "purpose", "token")
        email = fields["email"]
        sent = self.guard.codes.send(
            fields["purpose"] or "login",
            email,
            deliver=email if email in ACCOUNTS else None,
            account=ACCOUNTS.get(email),
            token=fields["token"],
        )
        return {"token": sent.token, "next": sent.next_send_in}

    def verify(self) -> str:
        fields = read_fields("email", "purpose", "token", "code")
        email = fields["email"]
        right = self.guard.codes.verify(
            fields["purpose"] or "login",
            fields["token"],
            fields["code"],
            to=email,
            deliver=email if email in ACCOUNTS else None,
            account=ACCOUNTS.get(email),
        )
        return "in" if right else abort(400, "This code is not right.")

    def go_on(self, token: str) -> str:
        reader = self.guard.codes.read_link(token)
        if reader is None:
            abort(400)
        if request.method == "GET":  # and HEAD acts, in a view as careless as this one
            return "<form method=post><button>Continue</button></form>"
        address = next((email for email, account in ACCOUNTS.items() if account == reader.account), None)
        followed = self.guard.codes.follow_link("login", token, deliver=address)
        return f"in as {followed.account}" if followed else abort(400)

    def drain(self) -> None:
        codes = self.app.extensions["authguard"].codes
        assert codes.sender.drain(20)

    def code(self) -> str:
        self.drain()
        found = re.search(r"\b[0-9]{6}\b", self.inbox.messages[-1].text)
        assert found
        return found[0]

    def link(self) -> str:
        self.drain()
        found = re.search(r"https://example\.com(/continue/\S+)", self.inbox.messages[-1].text)
        assert found
        return found[1]

    def close(self) -> None:
        state = self.app.extensions["authguard"]
        state.codes.sender.close()
        state.store.close()


def ask(client: FlaskClient, email: str = OWNER, ip: str = "192.0.2.1", **more: str) -> TestResponse:
    return client.post("/send", data={"email": email, **more}, environ_base={"REMOTE_ADDR": ip})


def enter(client: FlaskClient, token: str, code: Any, email: Any = OWNER, ip: str = "192.0.2.1") -> TestResponse:
    return client.post("/verify", data={"email": email, "token": token, "code": code}, environ_base={"REMOTE_ADDR": ip})


def cookies(answer: TestResponse) -> dict[str, SimpleCookie]:
    found = [SimpleCookie(header) for header in answer.headers.getlist("Set-Cookie")]
    return {name: cookie for cookie in found for name in cookie}
