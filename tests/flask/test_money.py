"""Money over Flask: codes and everything else that costs are paid from one ledger, in the application's own store."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from authguard.delivery import Channel, Job
from authguard.errors import ConfigurationError
from authguard.flask import AuthGuard, Messages
from tests.delivery.providers import Inbox, message


def site(folder: Path, messages: Messages | None) -> tuple[Flask, AuthGuard]:
    """Return an application and its guard."""
    app = Flask("site", instance_path=str(folder))
    app.config["SECRET_KEY"] = "k" * 40
    return app, AuthGuard(app, messages=messages)


def test_what_leaves_by_the_sender_is_in_the_ledger_once_for_each_key(tmp_path: Path) -> None:
    inbox = Inbox()
    app, guard = site(tmp_path, Messages("https://example.com/continue/{token}", sms=inbox))
    one = message(to="+447400000001")
    with app.app_context():
        for _ in range(3):
            guard.sender.reserve(Channel.SMS).fill(Job(Channel.SMS, "receipt", False, lambda: one, one.to, one.key))
        assert guard.sender.drain()
        assert len(inbox.messages) == 1
        assert next(each.spent for each in guard.ledger.balances() if each.cap == "day") == 1


def test_a_ledger_needs_no_messages_and_a_sender_does(tmp_path: Path) -> None:
    app, guard = site(tmp_path, None)
    with app.app_context():
        assert guard.ledger.reserve("sms", "+447400000001").dispatch()
        with pytest.raises(ConfigurationError, match="pass messages"):
            _ = guard.sender
