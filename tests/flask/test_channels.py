"""Channels: an application names one where it must, and hears in one sentence of one that it doesn't have."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from authguard.delivery import Channel
from authguard.errors import ConfigurationError
from authguard.flask import AuthGuard, Messages
from tests.delivery.providers import Inbox


def site_with(folder: Path, messages: Messages, toml: str = "") -> tuple[Flask, AuthGuard]:
    (folder / "authguard.toml").write_text(toml)
    app = Flask("site", instance_path=str(folder))
    app.config.update(SECRET_KEY="k" * 40, AUTHGUARD_STORE="memory://")
    return app, AuthGuard(app, messages=messages)


def send(app: Flask, guard: AuthGuard, to: str, **more: Any) -> None:
    with app.test_request_context("/send", method="POST", environ_base={"REMOTE_ADDR": "192.0.2.1"}):
        guard.codes.send("login", to, **{"deliver": None, "account": None, **more})
    assert app.extensions["authguard"].codes.sender.drain(20)


def test_an_application_with_mail_alone_need_not_say_so(tmp_path: Path) -> None:
    inbox = Inbox()
    app, guard = site_with(tmp_path, Messages("https://example.com/{token}", mail=inbox))
    for typed in ("owner", "owner@example.com", "+491712345678"):
        send(app, guard, typed, deliver=f"{len(typed)}@example.com", account=typed)
    assert [message.channel for message in inbox.messages] == [Channel.MAIL] * 3


def test_a_channel_over_which_nothing_delivers_is_said_to_whoever_names_it(tmp_path: Path) -> None:
    app, guard = site_with(tmp_path, Messages("https://example.com/{token}", mail=Inbox()))
    with pytest.raises(ConfigurationError, match="nothing delivers over sms; give Messages sms="):
        send(app, guard, "owner", channel=Channel.SMS)


def test_a_region_is_the_ledgers_and_the_messages_alike(tmp_path: Path) -> None:
    texts, messages = Inbox(), "https://example.com/{token}"
    toml = '[policies.otp-send]\ndefault_region = "DE"\n'
    app, guard = site_with(tmp_path, Messages(messages, sms=texts), toml)
    send(app, guard, "0171 2345678", deliver="0171 2345678")
    assert [message.to for message in texts.messages] == ["+491712345678"]
    with pytest.raises(ConfigurationError, match="those of GB"):
        site_with(tmp_path, Messages(messages, sms=texts), toml + '[spend.sms]\ndefault_region = "GB"\n')
