"""Signing up: a code to the contact, an account when it comes back, and nothing told to strangers."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.demo.conftest import Open

PASSWORD = "a password of some length"


def start(client: FlaskClient, name: str = "nora", contact: str = "nora@example.com") -> str:
    """Start a sign-up and return its id."""
    answer = client.post("/signup", json={"name": name, "contact": contact, "password": PASSWORD})
    assert answer.status_code == 200
    assert answer.json
    return str(answer.json["signup"])


def newest(client: FlaskClient) -> Any:
    """Return the newest message."""
    document = client.get("/outbox", headers={"Accept": "application/json"}).json
    assert document
    return document["messages"][0]


def code_in(message: Any) -> str:
    """Return the code in a message."""
    found = re.search(r"\b[0-9]{6}\b", message["text"])
    assert found
    return found[0]


def test_the_code_makes_an_account_and_logs_it_in(open_demo: Open) -> None:
    client = open_demo()
    signup = start(client)
    message = newest(client)
    assert (message["channel"], message["recipient"]) == ("mail", "nora@example.com")
    assert client.post("/confirm", json={"signup": signup, "code": code_in(message)}).json == {"name": "nora"}
    account = client.get("/account", headers={"Accept": "application/json"})
    assert account.json == {"name": "nora", "contact": "nora@example.com"}


def test_a_phone_gets_its_code_by_sms(open_demo: Open) -> None:
    client = open_demo()
    start(client, contact="+44 7700 900124")
    message = newest(client)
    assert (message["channel"], message["recipient"]) == ("sms", "+447700900124")


def test_a_code_works_once(open_demo: Open) -> None:
    client = open_demo()
    signup = start(client)
    code = code_in(newest(client))
    statuses = [client.post("/confirm", json={"signup": signup, "code": code}).status_code for _ in range(2)]
    assert statuses == [200, 400]


def test_five_wrong_codes_burn_the_right_one(open_demo: Open) -> None:
    client = open_demo()
    signup = start(client)
    code = code_in(newest(client))
    wrong = [f"{(int(code) + number) % 1_000_000:06}" for number in range(1, 6)]
    answers = [client.post("/confirm", json={"signup": signup, "code": each}) for each in (*wrong, code)]
    assert {answer.status_code for answer in answers} == {400}
    assert len({answer.text for answer in answers}) == 1


def test_a_code_fits_no_other_signup(open_demo: Open) -> None:
    client = open_demo()
    start(client)
    code = code_in(newest(client))
    other = start(client, contact="other@example.com")
    if code_in(newest(client)) == code:
        pytest.fail("one chance in a million: both codes are the same; run the test again")
    assert client.post("/confirm", json={"signup": other, "code": code}).status_code == 400


def test_a_taken_contact_looks_like_a_free_one_but_its_owner_is_told(open_demo: Open) -> None:
    client = open_demo()
    free = client.post("/signup", json={"name": "nora", "contact": "free@example.com", "password": PASSWORD})
    taken = client.post("/signup", json={"name": "nora", "contact": "Alice@example.com", "password": PASSWORD})
    assert free.status_code == taken.status_code
    assert list(free.headers.keys()) == list(taken.headers.keys())
    assert free.json
    assert taken.json
    assert {name: len(value) for name, value in free.json.items()} == {
        name: len(value) for name, value in taken.json.items()
    }
    assert "You have an account already" in newest(client)["text"]


def test_a_taken_name_gets_a_number(open_demo: Open) -> None:
    client = open_demo()
    for number in (2, 3):
        signup = start(client, name="ALICE", contact=f"alice{number}@example.com")
        answer = client.post("/confirm", json={"signup": signup, "code": code_in(newest(client))})
        assert answer.json == {"name": f"ALICE {number}"}


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "nora", "contact": "nora@example.com", "password": "fourteen chars"},
        {"name": "nora", "contact": "not a contact", "password": PASSWORD},
        {"name": "nora", "contact": "+447700900123;ext=5", "password": PASSWORD},
        {"name": "+447700900123", "contact": "nora@example.com", "password": PASSWORD},
        {"name": "nora@example.com", "contact": "nora@example.com", "password": PASSWORD},
        {},
    ],
)
def test_what_can_be_no_account_is_refused(open_demo: Open, fields: dict[str, str]) -> None:
    client = open_demo()
    assert client.post("/signup", json=fields).status_code == 400
    document = client.get("/outbox", headers={"Accept": "application/json"}).json
    assert document == {"messages": []}
