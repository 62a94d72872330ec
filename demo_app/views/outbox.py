"""Outbox page: what would have been delivered, to everybody."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime

from flask import Blueprint, Response

from demo_app.answers import say
from demo_app.outbox import Message, latest_messages

outbox = Blueprint("outbox", __name__)


@outbox.get("/outbox")
def page() -> Response:
    """Show the newest messages."""
    return say("outbox.html", {"messages": [_describe(message) for message in latest_messages()]})


def _describe(message: Message) -> dict[str, str]:
    sent = datetime.fromtimestamp(message.sent, UTC)
    return asdict(message) | {"sent": sent.isoformat(timespec="seconds")}
