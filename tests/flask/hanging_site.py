"""Hanging site: an application whose provider never answers, and whose view waits for that, as gunicorn serves it."""

from __future__ import annotations

from threading import Event

from flask import Flask

from authguard.delivery import Message
from authguard.flask import AuthGuard, Messages

called = Event()


class Hanging:
    """A provider that never answers."""

    def deliver(self, message: Message) -> None:
        """Wait for good."""
        called.set()
        Event().wait()


app = Flask("site")
app.config.update(SECRET_KEY="k" * 40, AUTHGUARD_STORE="memory://")
guard = AuthGuard(app, messages=Messages("https://example.com/{token}", mail=Hanging()))


@app.get("/")
def hang() -> str:
    """Send a code, and hang as soon as the provider has it."""
    guard.codes.send("login", "owner@example.com", account="42", deliver="owner@example.com")
    called.wait()
    Event().wait()
    return "never"
