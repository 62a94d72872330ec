"""Post: how the demo sends messages without a code in them; through authguard, or straight away in its place."""

from __future__ import annotations

from typing import Protocol, cast

from flask import Flask, current_app

from authguard.delivery import Job, Message
from authguard.flask import AuthGuard
from demo_app.contact import Channel, Contact
from demo_app.outbox import send

NAME = "demo-post"


class Post(Protocol):
    """Sends messages."""

    def send(self, purpose: str, message: Message) -> None:
        """Send ``message`` to somebody who is signed in; one with the same key is the same message."""
        ...


class GuardedPost:
    """authguard's sender: in the background, bounded, paced and paid for."""

    def __init__(self, guard: AuthGuard) -> None:
        self._guard = guard

    def send(self, purpose: str, message: Message) -> None:
        """Queue ``message``, or answer 503."""
        place = self._guard.sender.reserve(message.channel, known=True)
        place.fill(Job(message.channel, purpose, True, lambda: message, message.to, message.key))


class OpenPost:
    """Sends whatever it is given."""

    def send(self, purpose: str, message: Message) -> None:
        """Put ``message`` into the outbox."""
        send(Contact(Channel(message.channel), message.to), message.text)


def post() -> Post:
    """Return the post of the current application."""
    return cast(Post, current_app.extensions[NAME])


def use_post(app: Flask, chosen: Post) -> None:
    """Have ``app`` send its messages by ``chosen``."""
    app.extensions[NAME] = chosen
