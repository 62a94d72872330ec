"""Outbox page: what would have been delivered, to everybody."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from flask import Blueprint, Response, request

from demo_app.answers import say
from demo_app.outbox import Message, latest_messages

outbox = Blueprint("outbox", __name__)


@outbox.get("/outbox")
def page() -> Response:
    """Show the newest messages, or those to one recipient."""
    recipient = request.args.get("recipient")
    return say("outbox.html", {"messages": [_describe(message) for message in latest_messages(recipient)]})


def _describe(message: Message) -> dict[str, Any]:
    sent = datetime.fromtimestamp(message.sent, UTC)
    return asdict(message) | {"sent": sent.isoformat(timespec="seconds")}
