"""Changing where messages go: once their owner has shown to get them there."""

from __future__ import annotations

import re

from flask.testing import FlaskClient

from tests.demo.conftest import Open
from tests.demo.test_signup import code_in, newest

PHONE = "+12015550188"
PASSWORD = "correct horse battery staple"
BOBS = "tidal lantern copper moss"


def ask(open_demo: Open) -> tuple[FlaskClient, str]:
    """Log in, ask for a change, and return the client with the token."""
    client = open_demo()
    assert client.post("/login", json={"identifier": "alice", "password": PASSWORD}).status_code == 200
    return client, client.post("/account/contact", json={"contact": PHONE}).get_json()["token"]


def contact(client: FlaskClient) -> str:
    """Return where messages to alice go."""
    return str(client.get("/account", headers={"Accept": "application/json"}).get_json()["contact"])


def test_the_code_changes_the_contact(open_demo: Open) -> None:
    client, token = ask(open_demo)
    message = newest(client)
    assert (message["channel"], message["recipient"]) == ("sms", PHONE)
    entry = {"contact": PHONE, "token": token, "code": code_in(message)}
    assert client.post("/account/contact/confirm", json=entry).status_code == 200
    assert contact(client) == PHONE


def test_the_link_changes_it_where_its_owner_asked_and_nowhere_else(open_demo: Open) -> None:
    client, _ = ask(open_demo)
    link = re.search(r"/continue/\S+", newest(client)["text"])
    assert link
    elsewhere = client.application.test_client()
    assert elsewhere.post(link[0], json={}).status_code == 400
    assert client.post(link[0], json={}).get_json() == {"name": "alice", "contact": PHONE}
    assert contact(client) == PHONE
    assert client.post(link[0], json={}).status_code == 400


def test_the_link_of_another_account_changes_nothing_and_stays_good(open_demo: Open) -> None:
    client, _ = ask(open_demo)
    link = re.search(r"/continue/\S+", newest(client)["text"])
    assert link
    bob = client.application.test_client()
    bob.environ_base["REMOTE_ADDR"] = "192.0.2.9"
    assert bob.post("/login", json={"identifier": "bob", "password": BOBS}).status_code == 200
    assert bob.post("/account/contact", json={"contact": PHONE}).status_code == 200
    assert bob.post(link[0], json={}).status_code == 400
    assert contact(bob) == "bob@example.com"
    assert client.post(link[0], json={}).get_json() == {"name": "alice", "contact": PHONE}


def test_an_address_of_another_account_is_not_taken_over(open_demo: Open) -> None:
    client, _ = ask(open_demo)
    token = client.post("/account/contact", json={"contact": "bob@example.com"}).get_json()["token"]
    entry = {"contact": "bob@example.com", "token": token, "code": code_in(newest(client))}
    assert client.post("/account/contact/confirm", json=entry).status_code == 400
    assert contact(client) == "alice@example.com"
