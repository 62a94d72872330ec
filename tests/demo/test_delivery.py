"""Delivery: where the demo's messages go."""

from __future__ import annotations

import json

import pytest
from flask.testing import FlaskClient

from authguard.errors import ConfigurationError
from tests.demo.conftest import Open
from tests.servers.http import HttpServer


def ask(client: FlaskClient, identifier: str) -> None:
    """Ask for a code, and wait until it has left."""
    assert client.post("/code-login", json={"identifier": identifier}).status_code == 200
    assert client.application.extensions["authguard"].codes.sender.drain()


def recipients(client: FlaskClient) -> list[str]:
    """Return whom the outbox holds messages for."""
    document = client.get("/outbox", headers={"Accept": "application/json"}).get_json()
    return [message["recipient"] for message in document["messages"]]


def test_texts_leave_by_the_provider_and_mail_goes_to_the_outbox(open_demo: Open) -> None:
    with HttpServer(201) as provider:
        client = open_demo("--provider", provider.url)
        ask(client, "+1 201 555 0123")
        ask(client, "alice@example.com")
    (asked,) = provider.asked
    assert json.loads(asked.body)["to"] == "+12015550123"
    assert recipients(client) == ["alice@example.com"]


def test_without_a_provider_everything_goes_to_the_outbox(open_demo: Open) -> None:
    client = open_demo()
    ask(client, "+12015550123")
    assert recipients(client) == ["+12015550123"]


@pytest.mark.parametrize("arguments", [("--provider", "http://sms.example/"), ("--sms-rate", "fast")])
def test_what_can_t_deliver_is_said_at_start(open_demo: Open, arguments: tuple[str, str]) -> None:
    with pytest.raises(ConfigurationError):
        open_demo(*arguments)


def test_a_trial_message_leaves_once_for_each_key_and_to_whom_it_belongs_alone(open_demo: Open) -> None:
    client = open_demo()
    assert client.post("/account/trial", json={}).status_code == 401
    client.post("/login", json={"identifier": "carol", "password": "seven quiet harbour lights"})
    for key in ("one", "one", "another"):
        assert client.post("/account/trial", json={}, headers={"Idempotency-Key": key}).get_json() == {"sent": True}
    assert client.application.extensions["authguard"].codes.sender.drain()
    assert recipients(client) == ["+12015550123"] * 2


def test_an_unguarded_demo_sends_every_trial_message(open_demo: Open) -> None:
    client = open_demo("--unguarded")
    client.post("/login", json={"identifier": "carol", "password": "seven quiet harbour lights"})
    for _ in range(2):
        client.post("/account/trial", json={}, headers={"Idempotency-Key": "one"})
    assert recipients(client) == ["+12015550123"] * 2
