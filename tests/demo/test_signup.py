"""Signing up: a code to the contact, an account when it comes back, and nothing told to strangers."""

from __future__ import annotations

import base64
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from demo_app.gate import Passwords
from tests.demo.conftest import Open

PASSWORD = "a password of some length"
CONTACT = "nora@example.com"


def ask(client: FlaskClient, name: str = "nora", contact: str = CONTACT) -> dict[str, Any]:
    """Ask for an account, and return the answer."""
    answer = client.post("/signup", json={"name": name, "contact": contact, "password": PASSWORD})
    assert answer.status_code == 200
    assert answer.json
    return dict(answer.json)


def newest(client: FlaskClient) -> Any:
    """Return the newest message, once none is under way."""
    client.application.extensions["authguard"].codes.sender.drain()
    document = client.get("/outbox", headers={"Accept": "application/json"}).json
    assert document
    return document["messages"][0]


def code_in(message: Any) -> str:
    """Return the code in a message."""
    found = re.search(r"\b[0-9]{6}\b", message["text"])
    assert found
    return found[0]


def confirm(client: FlaskClient, asked: dict[str, Any], code: str) -> Any:
    """Enter a code and return the answer."""
    return client.post("/confirm", json={"signup": asked["signup"], "token": asked["token"], "code": code})


class Counting:
    """Passwords that count what they hash."""

    def __init__(self, inner: Passwords) -> None:
        self.inner = inner
        self.hashed = 0

    def hash(self, password: str) -> str:
        """Return the hash."""
        self.hashed += 1
        return self.inner.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Return whether it fits."""
        return self.inner.verify(stored, password)


def ask_from_everywhere(app: Flask, times: int) -> None:
    """Ask for an account for one contact, each time as another client."""
    fields = {"name": "somebody", "contact": CONTACT, "password": PASSWORD}
    for number in range(times):
        asked = app.test_client().post("/signup", json=fields, environ_base={"REMOTE_ADDR": f"192.0.{number}.1"})
        assert asked.status_code == 200


def test_the_code_makes_an_account_and_logs_it_in(open_demo: Open) -> None:
    client = open_demo()
    asked = ask(client)
    message = newest(client)
    assert (message["channel"], message["recipient"]) == ("mail", CONTACT)
    assert confirm(client, asked, code_in(message)).json == {"name": "nora"}
    account = client.get("/account", headers={"Accept": "application/json"})
    assert account.json == {"name": "nora", "contact": CONTACT}


def test_a_browser_needs_no_more_than_the_code(open_demo: Open) -> None:
    client = open_demo()
    ask(client)
    assert client.post("/confirm", json={"code": code_in(newest(client))}).json == {"name": "nora"}


def test_a_phone_gets_its_code_by_sms_and_its_browser_can_fill_it_in(open_demo: Open) -> None:
    client = open_demo()
    ask(client, contact="+1 201 555 0199")
    message = newest(client)
    assert (message["channel"], message["recipient"]) == ("sms", "+12015550199")
    assert message["text"].splitlines()[-1] == f"@127.0.0.1 #{code_in(message)}"


def test_the_form_takes_codes_as_long_as_the_policy_has_them(open_demo: Open, tmp_path: Path) -> None:
    config = tmp_path / "policies.toml"
    config.write_text("[policies.otp-verify]\ndigits = 8\n")
    client = open_demo("--config", str(config))
    asked = ask(client)
    page = client.get("/confirm").text
    assert "Code of eight digits" in page
    assert 'autocomplete="one-time-code" required maxlength="8" pattern="[0-9]{8}"' in page
    assert confirm(client, asked, newest(client)["text"][:8]).json == {"name": "nora"}


def test_a_code_works_once(open_demo: Open) -> None:
    client = open_demo()
    asked = ask(client)
    code = code_in(newest(client))
    assert [confirm(client, asked, code).status_code for _ in range(2)] == [200, 400]


def test_five_wrong_codes_burn_the_right_one(open_demo: Open) -> None:
    client = open_demo()
    asked = ask(client)
    code = code_in(newest(client))
    wrong = [f"{(int(code) + number) % 1_000_000:06}" for number in range(1, 6)]
    answers = [confirm(client, asked, each) for each in (*wrong, code)]
    assert {answer.status_code for answer in answers} == {400}
    assert len({answer.json["message"] for answer in answers}) == 1


def test_a_code_fits_no_other_signup(open_demo: Open) -> None:
    client = open_demo()
    first = ask(client)
    code = code_in(newest(client))
    other = ask(client, contact="other@example.com")
    assert confirm(client, {**first, "signup": other["signup"]}, code).status_code == 400
    assert confirm(client, first, code).status_code == 200


def test_a_taken_contact_looks_like_a_free_one(open_demo: Open) -> None:
    client = open_demo()
    free, taken = (ask(client, contact=contact) for contact in ("free5@example.com", "Alice@example.com"))
    assert {name: len(str(value)) for name, value in free.items()} == {
        name: len(str(value)) for name, value in taken.items()
    }
    assert free["next_send_in"] == taken["next_send_in"]


def test_the_session_does_not_tell_that_a_contact_is_taken(open_demo: Open) -> None:
    client = open_demo()
    ask(client, contact="alice@example.com")
    cookie = client.get_cookie("session")
    assert cookie
    payload = cookie.value.split(".")[0]
    assert b"taken" not in base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))


def test_the_owner_of_a_taken_contact_is_told_and_gets_in(open_demo: Open) -> None:
    client = open_demo()
    asked = ask(client, name="somebody", contact="alice@example.com")
    message = newest(client)
    assert "you have an account already" in message["text"]
    assert confirm(client, asked, code_in(message)).json == {"name": "alice"}


def test_a_second_factor_is_asked_for_after_that_too(open_demo: Open) -> None:
    client = open_demo()
    asked = ask(client, name="somebody", contact="frida@example.com")
    assert confirm(client, asked, code_in(newest(client))).status_code == 200
    assert client.get("/account", headers={"Accept": "application/json"}).status_code == 401


def test_who_is_asked_for_by_others_is_not_refused_and_finishes_by_their_message(open_demo: Open) -> None:
    app = open_demo().application
    ask_from_everywhere(app, 4)
    owner = app.test_client()
    ask(owner)
    link = re.search(r"/continue/\S+", newest(owner)["text"])
    assert link
    assert owner.post(link[0], json={}).json == {"contact": CONTACT}
    assert owner.post("/signup/finish", json={"name": "nora", "password": PASSWORD}).json == {"name": "nora"}


def test_who_is_asked_for_all_day_is_challenged_and_gets_through(
    open_demo: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = open_demo().application
    ask_from_everywhere(app, 5)
    owner, fields = app.test_client(), {"name": "nora", "contact": CONTACT, "password": PASSWORD}
    challenged = owner.post("/signup", json=fields)
    assert challenged.status_code == 429
    assert challenged.json
    challenge, true = challenged.json["challenge"], time.time_ns
    monkeypatch.setattr("authguard.clock.time_ns", lambda: true() + challenge["wait"] * 1_000_000_000)
    assert owner.post("/signup", json={**fields, challenge["field"]: challenge["token"]}).status_code == 200


def test_who_came_by_a_link_once_has_nothing_hashed_for_it_afterwards(open_demo: Open) -> None:
    client = open_demo()
    client.application.extensions["demo"] = replace(
        client.application.extensions["demo"],
        passwords=(counting := Counting(client.application.extensions["demo"].passwords)),
    )
    ask(client)
    link = re.search(r"/continue/\S+", newest(client)["text"])
    assert link
    client.post(link[0], json={})
    cookie = client.get_cookie("session")
    assert cookie
    counting.hashed = 0
    for number in range(4):
        client.set_cookie("session", cookie.value)
        answer = client.post("/signup/finish", json={"name": f"nora {number}", "password": PASSWORD})
        assert answer.status_code == (200 if number == 0 else 429)
    assert counting.hashed == 1


def test_another_spelling_of_a_mailbox_makes_no_second_account(open_demo: Open) -> None:
    client = open_demo()
    # Seeds were there before anybody confirmed: no place was ever taken for them.
    asked = ask(client, name="somebody", contact="alice+2@example.com")
    answer = confirm(client, asked, code_in(newest(client)))
    assert answer.status_code == 409
    assert "an account already" in answer.json["message"]


def test_a_taken_name_gets_a_number(open_demo: Open) -> None:
    client = open_demo()
    for number in (2, 3):
        asked = ask(client, name="ALICE", contact=f"alice{number}@example.com")
        assert confirm(client, asked, code_in(newest(client))).json == {"name": f"ALICE {number}"}


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "nora", "contact": CONTACT, "password": "fourteen chars"},
        {"name": "nora", "contact": "not a contact", "password": PASSWORD},
        {"name": "nora", "contact": "+447700900123;ext=5", "password": PASSWORD},
        {"name": "+447700900123", "contact": CONTACT, "password": PASSWORD},
        {"name": CONTACT, "contact": CONTACT, "password": PASSWORD},
        {},
    ],
)
def test_what_can_be_no_account_is_refused(open_demo: Open, fields: dict[str, str]) -> None:
    client = open_demo()
    assert client.post("/signup", json=fields).status_code == 400
    document = client.get("/outbox", headers={"Accept": "application/json"}).json
    assert document == {"messages": []}
