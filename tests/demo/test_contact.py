"""Changing where messages go: once their owner has shown to get them there."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from tests.demo.conftest import Open
from tests.demo.test_login import PASSWORD, fill
from tests.demo.test_signup import code_in, newest

PHONE = "+12015550188"
BOBS = "tidal lantern copper moss"


def log_in(open_demo: Open) -> FlaskClient:
    """Return alice's browser."""
    client = open_demo()
    assert client.post("/login", json={"identifier": "alice", "password": PASSWORD}).status_code == 200
    return client


def ask(open_demo: Open) -> tuple[FlaskClient, str]:
    """Log in, ask for a change, and return the client with the token."""
    client = log_in(open_demo)
    return client, client.post("/account/contact", json={"contact": PHONE, "password": PASSWORD}).get_json()["token"]


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


def test_two_accounts_do_not_meet_at_one_mailbox(open_demo: Open) -> None:
    client = log_in(open_demo)

    def change(to: str) -> int:
        token = client.post("/account/contact", json={"contact": to, "password": PASSWORD}).get_json()["token"]
        entry = {"contact": to, "token": token, "code": code_in(newest(client))}
        return client.post("/account/contact/confirm", json=entry).status_code

    assert change("bob+alice@example.com") == 400
    assert change("elsewhere@example.com") == 200
    # Whose mailbox it was may have it back.
    assert change("alice@example.com") == 200


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
    assert bob.post("/account/contact", json={"contact": PHONE, "password": BOBS}).status_code == 200
    assert bob.post(link[0], json={}).status_code == 400
    assert contact(bob) == "bob@example.com"
    assert client.post(link[0], json={}).get_json() == {"name": "alice", "contact": PHONE}


def test_an_address_of_another_account_is_not_taken_over(open_demo: Open) -> None:
    client, _ = ask(open_demo)
    bobs = "bob@example.com"
    token = client.post("/account/contact", json={"contact": bobs, "password": PASSWORD}).get_json()["token"]
    entry = {"contact": bobs, "token": token, "code": code_in(newest(client))}
    assert client.post("/account/contact/confirm", json=entry).status_code == 400
    assert contact(client) == "alice@example.com"


@pytest.mark.parametrize("fields", [{}, {"password": "wrong"}])
def test_a_session_alone_moves_nothing(open_demo: Open, fields: dict[str, str]) -> None:
    client = log_in(open_demo)
    answer = client.post("/account/contact", json={"contact": PHONE, **fields})
    assert answer.status_code == 401
    said = answer.get_json()
    assert (said["message"], said["challenge"]["type"]) == ("That isn’t your password.", "delay")
    assert client.application.extensions["authguard"].codes.sender.drain()
    assert client.get("/outbox", headers={"Accept": "application/json"}).get_json() == {"messages": []}


def test_a_page_asks_for_the_password_and_offers_another_look(open_demo: Open) -> None:
    client = log_in(open_demo)
    wrong = fill(client, "/account/contact", contact=PHONE, password="wrong")
    assert wrong.status_code == 401
    assert "That isn’t your password." in wrong.text
    assert 'name="password" type="password"' in wrong.text
    assert f'value="{PHONE}"' in wrong.text
    assert 'name="authguard_challenge"' in wrong.text
    right = fill(client, "/account/contact", contact=PHONE, password=PASSWORD)
    assert (right.status_code, right.location) == (303, "/account/contact/confirm")


def test_guesses_at_the_password_are_those_of_the_login(open_demo: Open) -> None:
    client = log_in(open_demo)
    statuses = [
        client.post("/account/contact", json={"contact": PHONE, "password": f"guess {number}"}).status_code
        for number in range(3)
    ]
    statuses += [
        client.post("/login", json={"identifier": "alice@example.com", "password": f"guess {number}"}).status_code
        for number in range(3, 5)
    ]
    assert statuses == [401] * 5
    assert client.post("/account/contact", json={"contact": PHONE, "password": PASSWORD}).status_code == 429
    assert client.post("/login", json={"identifier": "alice", "password": PASSWORD}).status_code == 429
