"""Sessions: whole ones and halves stand on the password that opened them, and no two halves make a whole."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from demo_app.seeds import SEEDS
from demo_app.state import HALF_LIFE
from tests.demo.conftest import Open
from tests.demo.test_second_factor import FRIDA, account, log_in

ALICE = SEEDS[0]
NEW = "another long password altogether"


def message(client: FlaskClient, path: str, contact: str) -> tuple[str, str, str]:
    """Ask for a code; return its token, the code and the path of the link."""
    token = client.post(path, json={"identifier": contact}).get_json()["token"]
    assert client.application.extensions["authguard"].codes.sender.drain()
    text = client.get("/outbox", headers={"Accept": "application/json"}).get_json()["messages"][0]["text"]
    code, link = re.search(r"\b[0-9]{6}\b", text), re.search(r"/continue/\S+", text)
    assert code
    assert link
    return token, code[0], link[0]


def reset(client: FlaskClient, contact: str) -> None:
    token, code, _ = message(client, "/forgot", contact)
    fields = {"identifier": contact, "token": token, "code": code, "password": NEW}
    assert client.post("/reset", json=fields).status_code == 200


def test_a_new_password_ends_the_sessions_that_the_old_one_opened(open_demo: Open) -> None:
    thief = open_demo()
    assert thief.post("/login", json={"identifier": ALICE.name, "password": ALICE.password}).status_code == 200
    assert account(thief) == 200
    owner = thief.application.test_client()
    reset(owner, ALICE.contact)
    assert (account(owner), account(thief)) == (200, 401)


def test_a_new_password_ends_the_halves_of_the_old_one(open_demo: Open) -> None:
    thief = open_demo()
    log_in(thief)
    owner = thief.application.test_client()
    reset(owner, FRIDA.contact)
    assert thief.post("/second-factor", json={"code": FRIDA.recovery[0]}).status_code == 401
    assert account(owner) == 401
    assert owner.post("/second-factor", json={"code": FRIDA.recovery[0]}).status_code == 200
    assert account(owner) == 200


def test_the_half_of_one_account_is_gone_once_another_is_logged_in_to(open_demo: Open) -> None:
    client = open_demo()
    log_in(client)
    client.post("/login", json={"identifier": ALICE.name, "password": ALICE.password})
    assert client.post("/second-factor", json={"code": FRIDA.recovery[0]}).status_code == 401
    assert client.get("/account", headers={"Accept": "application/json"}).get_json()["name"] == ALICE.name


def test_half_a_session_changes_neither_password_nor_address(open_demo: Open) -> None:
    client = open_demo()
    _, _, link = message(client, "/forgot", FRIDA.contact)
    assert client.post(link, json={}).status_code == 200
    client.post("/account/password", json={"password": NEW})
    assert client.post("/account/contact", json={"contact": "mine@example.com"}).status_code == 401
    assert client.post("/account/trial", json={}).status_code == 401
    log_in(client.application.test_client())


@pytest.mark.parametrize(("age", "name"), [(HALF_LIFE - 60, ALICE.name), (HALF_LIFE + 1, None)])
def test_the_link_of_a_reset_lets_choose_a_password_for_ten_minutes(
    open_demo: Open, age: int, name: str | None
) -> None:
    client = open_demo()
    _, _, link = message(client, "/forgot", ALICE.contact)
    assert client.post(link, json={}).status_code == 200
    with client.session_transaction() as session:
        session["may_choose"] -= age
    assert client.post("/account/password", json={"password": NEW}).get_json().get("name") == name


@pytest.mark.parametrize(("age", "name"), [(HALF_LIFE - 60, "newcomer"), (HALF_LIFE + 1, None)])
def test_the_link_of_a_sign_up_proves_the_mailbox_for_ten_minutes(open_demo: Open, age: int, name: str | None) -> None:
    client = open_demo()
    client.post("/signup", json={"name": "newcomer", "contact": "newcomer@example.com", "password": NEW})
    assert client.application.extensions["authguard"].codes.sender.drain()
    text = client.get("/outbox", headers={"Accept": "application/json"}).get_json()["messages"][0]["text"]
    link = re.search(r"/continue/\S+", text)
    assert link
    assert client.post(link[0], json={}).status_code == 200
    with client.session_transaction() as session:
        session["proven"]["until"] -= age
        session.modified = True
    made = client.post("/signup/finish", json={"name": "newcomer", "password": NEW})
    assert made.get_json().get("name") == name
